import { describe, expect, it } from "vitest";

import { attachmentOf } from "./attachments.ts";

describe("what is attached", () => {
  it.each([
    ["a.png", "image/png", "image"],
    ["a.svg", "image/svg+xml", "document"],
    ["a.md", "", "document"],
    ["quote.pdf", "application/pdf", "document"],
  ])("%s (%s) is shown as %s", (name, type, kind) => {
    expect(attachmentOf(new File(["x"], name, { type }))).toMatchObject({ name, kind });
  });

  it("has a name when it was pasted without one", () => {
    expect(attachmentOf(new File(["x"], "", { type: "image/png" })).name).toBe("image.png");
  });
});
