import { describe, expect, it } from "vitest";

import { sentHashes, withSentFiles } from "./sent-files.ts";

const FILES = Array.from({ length: 30 }, (_, at) => ({
  name: `${"long ".repeat(40)}"${at}".pdf`,
  sha256: String(at).padStart(64, "0"),
}));

describe("the hashes of files that came with a note", () => {
  it("stand in its frontmatter, beside what is there", () => {
    expect(withSentFiles("Peas\n", [{ name: 'a "b".txt', sha256: "ab".repeat(32) }])).toBe(
      `---\nfiles:\n  - sha256: ${"ab".repeat(32)}\n    name: "a \\"b\\".txt"\n---\n\nPeas\n`,
    );
    const kept = withSentFiles("---\nuntrusted: true\n---\n\nPeas\n", FILES.slice(0, 2));
    expect(kept).toMatch(/^---\nfiles:\n[\s\S]*\nuntrusted: true\n---\n\nPeas\n$/u);
    expect(sentHashes(kept)).toEqual(FILES.slice(0, 2).map(({ sha256 }) => sha256));
  });

  it("leave a text alone that has such a key, or came without files", () => {
    const own = "---\nfiles: [a]\n---\nPeas\n";
    expect(withSentFiles(own, FILES)).toBe(own);
    expect(withSentFiles("Peas\n", [])).toBe("Peas\n");
  });

  it("are as many as are read again of a note", () => {
    const kept = withSentFiles("Peas\n", FILES);
    expect(sentHashes(kept.slice(0, 4096))).toHaveLength(20);
  });
});
