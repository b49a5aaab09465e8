import fc from "fast-check";
import { expect, it } from "vitest";

import { collide, editedText } from "./edit-lines.ts";
import type { LineEdit } from "./finding.ts";

const line = fc.stringMatching(/^[a-z#]{1,6}$/u);

it("changes the named lines and keeps every other byte, whatever the edits, endings and frontmatter", () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(11), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 5 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.boolean(),
      (lines, given, wanted, isClosed, hasFrontmatter) => {
        // A single line without an ending says nothing of the others.
        const ending = lines.length > 1 || isClosed || hasFrontmatter ? wanted : "\n";
        const edits: LineEdit[] = [];
        for (const [at, count, added] of given) {
          const start = (at % lines.length) + 1;
          const edit = { start, end: Math.min(start + count - 1, lines.length), lines: added };
          if (!edits.some((other) => collide(edit, other))) edits.push(edit);
        }
        const head = hasFrontmatter ? ["---", "x: 1", "---", ""].join(ending) + ending : "";
        const text = head + lines.join(ending) + (isClosed ? ending : "");
        const expected = lines.flatMap((each, at) => {
          const number = at + 1;
          const before = edits.filter(({ start, end }) => end < start && start === number);
          const replaced = edits.find(({ start, end }) => start <= number && number <= end);
          return [
            ...before.flatMap((edit) => edit.lines),
            ...(replaced === undefined ? [each] : replaced.start === number ? replaced.lines : []),
          ];
        });
        const body = expected.join(ending) + (isClosed && expected.length > 0 ? ending : "");
        const edited = editedText(text, edits);
        // Without an ending of the last line there is none after it either, however many lines went.
        const open = (each: string): string => (isClosed ? each : each.replace(/[\r\n]+$/u, ""));
        expect(open(edited)).toBe(open(head + body));
      },
    ),
    { numRuns: 1000 },
  );
});
