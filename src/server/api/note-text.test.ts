import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { toLf } from "../../vault/files/lines.ts";
import { withLines, withTask } from "./note-text.ts";

describe("a text that an editor hands back", () => {
  it("keeps the endings of the lines that stay", () => {
    expect(withLines("a\r\nb\nc\r\n", "a\nB\nc\n")).toBe("a\r\nB\r\nc\r\n");
    expect(withLines("a\nb\r\nc", "a\nb\nc\nd")).toBe("a\nb\r\nc\nd");
  });

  it("is the same byte for byte when nothing was changed, and says what was written in any case", () => {
    const line = fc.constantFrom("a", "b", "", "é");
    const ending = fc.constantFrom("\n", "\r\n");
    const text = fc
      .array(fc.tuple(line, ending), { maxLength: 8 })
      .map((lines) => lines.map((parts) => parts.join("")).join(""));
    fc.assert(
      fc.property(text, text, (present, wanted) => {
        expect(withLines(present, toLf(present))).toBe(present);
        expect(toLf(withLines(present, toLf(wanted)))).toBe(toLf(wanted));
      }),
    );
  });
});

describe("a task that is ticked", () => {
  const text = "# T\n\n- [ ] one\r\n  1. [x] two\n- [ ] one\n";
  it.each([
    [3, "- [ ] one", true, "# T\n\n- [x] one\r\n  1. [x] two\n- [ ] one\n"],
    [4, "  1. [x] two", false, "# T\n\n- [ ] one\r\n  1. [ ] two\n- [ ] one\n"],
    // It moved, and there is only one of that text.
    [1, "  1. [x] two", false, "# T\n\n- [ ] one\r\n  1. [ ] two\n- [ ] one\n"],
  ])("line %i, %s", (line, seen, isDone, expected) => {
    expect(withTask(text, line, seen, isDone)).toBe(expected);
  });

  it("is refused when it is not there, or one of several", () => {
    expect(withTask(text, 1, "- [ ] one", true)).toBeNull();
    expect(withTask(text, 3, "- [ ] other", true)).toBeNull();
    expect(withTask(text, 1, "# T", true)).toBeNull();
  });
});
