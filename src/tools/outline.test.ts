import { describe, expect, it } from "vitest";

import { callerOf, refusedWith, temporaryVault, textOf } from "../testing/temporary-vault.ts";

describe("read: folded", () => {
  it("shows a line for each heading of level 1 and 2, with the size of what is under it", async () => {
    const vault = temporaryVault({
      "changelog.md":
        "---\ntokens: 40\n---\n\n# 2026-03-09\n## Joint livré\nOui.\nBien.\n### détail\nx\n```\n# pas un titre\n```\n# 2026-03-08\n",
    });
    expect(
      textOf(await callerOf(vault).update("read", { paths: "changelog.md", folded: true })),
    ).toBe(
      [
        "```vault/changelog.md (folded, 14 lines)",
        "5  | # 2026-03-09",
        "6  | ## Joint livré ... (7 lines, 12 tokens)",
        "14 | # 2026-03-08",
        "```",
      ].join("\n"),
    );
  });

  it("says how much stands before the first heading, and in a file without any", async () => {
    const vault = temporaryVault({
      "a.md": "---\ntokens: 1\n---\n\nAvant\n\n# Un\n\n",
      "b.md": "rien\nd'autre\n",
    });
    expect(
      textOf(await callerOf(vault).update("read", { paths: ["a.md", "b.md"], folded: true })),
    ).toBe(
      [
        "```vault/a.md (folded, 8 lines)",
        "4  | ... (3 lines, 2 tokens)",
        "7  | # Un",
        "```",
        "",
        "```vault/b.md (folded, 2 lines)",
        "1  | ... (2 lines, 3 tokens)",
        "```",
      ].join("\n"),
    );
  });

  it("with head or tail is an error", async () => {
    const result = await callerOf(temporaryVault({ "bucket/note.md": "Une note\n" })).update(
      "read",
      {
        paths: "bucket/note.md",
        folded: true,
        head: 5,
      },
    );
    expect(refusedWith(result)).toBe("invalid_argument");
  });
});
