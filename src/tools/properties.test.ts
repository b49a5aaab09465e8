import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { expect, it } from "vitest";

import { callerOf, temporaryVault, textOf } from "../testing/temporary-vault.ts";
import { splitLines } from "../vault/files/lines.ts";

const line = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("", "```", "---", "12 | x", "# é", "\tx "),
);
const text = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 40 })
  .map((parts) => parts.map(([words, ending]) => words.replaceAll("\0", "") + ending).join(""))
  .filter((made) => made.isWellFormed());

it("concat of any range equals the same lines of read", async () => {
  const vault = temporaryVault({ "a.md": "" });
  const caller = callerOf(vault);
  await fc.assert(
    fc.asyncProperty(text, fc.nat(60), fc.nat(60), async (content, a, b) => {
      writeFileSync(path.join(vault.root, "a.md"), content);
      const total = splitLines(content.replace(/^\ufeff/u, "")).length;
      const start = Math.max(1, Math.min(a, b));
      fc.pre(start <= total);
      const end = Math.max(start, a, b);
      const read = textOf(await caller.search("read", { paths: "a.md" })).split("\n");
      const part = textOf(
        await caller.search("concat", { files: [{ path: "a.md", lines: `${start}-${end}` }] }),
      ).split("\n");
      const shown = Math.min(end, total) - start + 1;
      expect(part.slice(1, shown + 1)).toEqual(read.slice(start, start + shown));
      expect(part[shown + 1]).toBe("```");
      // A range that goes past the end is said below the block.
      const said = part.slice(shown + 2);
      expect(said).toHaveLength(end > total ? 2 : 0);
      if (end > total) expect(said[1]).toContain(`a.md has ${total} lines; the range`);
    }),
    { numRuns: 500 },
  );
});

it("an edit followed by undo gives the same bytes", async () => {
  const vault = temporaryVault({ "a.md": "" });
  const caller = callerOf(vault);
  const file = path.join(vault.root, "a.md");
  let edited = 0;
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.nat(),
      fc.nat(40),
      text,
      fc.boolean(),
      async (content, at, length, replacement, numbered) => {
        writeFileSync(file, content);
        const shown = textOf(await caller.update("read", { paths: "a.md" }))
          .split("\n")
          .slice(1, -1);
        const start = shown.length === 0 ? 0 : at % shown.length;
        const plain = splitLines(content.replace(/^\ufeff/u, ""));
        const old = (numbered ? shown : plain).slice(start, start + 1 + (length % 4)).join("\n");
        const before = readFileSync(file);
        const result = await caller.update("edit", {
          path: "a.md",
          old_content: old,
          new_content: numbered ? replacement.replaceAll(/^\d+ *\|/gmu, "x") : replacement,
        });
        const { history } = Object(result.structured);
        if (result.isError || history === null) {
          expect(readFileSync(file).equals(before)).toBe(true);
          return;
        }
        edited += 1;
        await vault.undo(history, { actor: "test", force: false });
        expect(readFileSync(file).equals(before)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
  expect(edited).toBeGreaterThan(50);
});

it("a numbered edit changes those lines and no other", async () => {
  const vault = temporaryVault({ "a.md": "" });
  const caller = callerOf(vault);
  const file = path.join(vault.root, "a.md");
  const plainLine = fc.string({ maxLength: 12 }).map((words) => words.replaceAll(/[\r\n\0]/gu, ""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(plainLine, { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.nat(5),
      async (lines, at, more) => {
        writeFileSync(file, `${lines.join("\n")}\n`);
        const shown = textOf(await caller.update("read", { paths: "a.md" }))
          .split("\n")
          .slice(1, -1);
        const start = at % lines.length;
        const end = Math.min(lines.length, start + 1 + more);
        const old = shown.slice(start, end).join("\n");
        // Text that is literally in the file, numbers and all, is a plain match: not what is tested here.
        fc.pre(!`${lines.join("\n")}\n`.includes(old));
        const result = await caller.update("edit", {
          path: "a.md",
          old_content: old,
          new_content: "remplacé\nici",
        });
        expect(result.isError, textOf(result)).toBe(false);
        expect(readFileSync(file, "utf8")).toBe(
          [...lines.slice(0, start), "remplacé", "ici", ...lines.slice(end), ""].join("\n"),
        );
      },
    ),
    { numRuns: 300 },
  );
});
