import fc from "fast-check";
import { expect, it } from "vitest";

import { merge } from "./merge.ts";

const BASE = "one\n\ntwo\n\nthree\n";

it("puts changes of different lines together", () => {
  const merged = merge(BASE, BASE.replace("one", "ONE"), BASE.replace("three", "THREE"));
  expect(merged).toEqual({ text: "ONE\n\ntwo\n\nTHREE\n", conflicts: [] });
});

it("takes the same change once", () => {
  const both = BASE.replace("two", "2");
  expect(merge(BASE, both, both)).toEqual({ text: both, conflicts: [] });
});

it("keeps both where the same lines were changed, and says so", () => {
  const merged = merge(BASE, BASE.replace("two", "mine"), BASE.replace("two", "theirs"));
  expect(merged.conflicts).toEqual([{ mine: "mine", theirs: "theirs" }]);
  expect(merged.text).toBe("one\n\nmine\ntheirs\n\nthree\n");
});

it("makes of each conflict what was chosen for it, and keeps what both changed elsewhere", () => {
  const base = "a\n\nb\n\nc\n\nd\n";
  const mine = "a mine\n\nb mine\n\nc\n\nd mine\n";
  const theirs = "a\n\nb theirs\n\nc theirs\n\nd theirs\n";
  expect(merge(base, mine, theirs, ["mine", "theirs"]).text).toBe(
    "a mine\n\nb mine\n\nc theirs\n\nd theirs\n",
  );
  expect(merge(base, mine, theirs, ["theirs", "mine"]).text).toBe(
    "a mine\n\nb theirs\n\nc theirs\n\nd mine\n",
  );
});

it("loses no line that either side wrote", () => {
  const line = fc.constantFrom("a", "b", "c", "");
  const base = fc.array(line, { maxLength: 6 });
  const text = fc.array(
    fc.oneof(
      line,
      fc.nat(99).map((n) => `new ${n}`),
    ),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(base, text, text, (old, mine, theirs) => {
      const merged = merge(old.join("\n"), mine.join("\n"), theirs.join("\n")).text.split("\n");
      for (const written of [...mine, ...theirs].filter((each) => each.startsWith("new")))
        expect(merged).toContain(written);
    }),
  );
});
