import { describe, expect, it } from "vitest";

import { attachmentOf, kindOf, readAttachments } from "./attachments.ts";

describe("what is attached", () => {
  it.each([
    ["a.png", "image/png", "image"],
    ["a.svg", "image/svg+xml", "other"],
    ["a.md", "", "text"],
    ["mail", "text/plain", "text"],
    ["quote.pdf", "application/pdf", "other"],
  ])("%s (%s) is %s", (name, type, kind) => {
    expect(kindOf({ name, type })).toBe(kind);
  });

  it("is handed over as text and images, and the rest is left", async () => {
    const files = [
      new File([Uint8Array.of(1, 2, 255)], "p.png", { type: "image/png" }),
      new File(["one\n"], "one.md"),
      new File(["x"], "x.pdf", { type: "application/pdf" }),
    ];
    expect(await readAttachments(files.map((file) => attachmentOf(file)))).toEqual({
      text: "one\n",
      images: [{ name: "p.png", data: "AQL/" }],
      names: ["p.png", "one.md"],
    });
  });

  it("keeps several texts apart by their names", async () => {
    const files = [new File(["one\n"], "one.md"), new File(["two"], "two.txt")];
    const { text } = await readAttachments(files.map((file) => attachmentOf(file)));
    expect(text).toBe("## one.md\n\none\n\n## two.txt\n\ntwo");
  });
});
