import { describe, expect, it } from "vitest";

import { callerOf, temporaryVault, textOf } from "../testing/temporary-vault.ts";

const JOURNAL = `---
created: 2026-03-02T09:15:00
updated: 2026-03-09T17:40:00
tokens: 80
---

# 2026-03-09

## Visite de la mairie
Rien à signaler.

## [décision] Louer la carotteuse
Le plombier ne vient pas avant avril. La livraison est le 20 mars.
Suite : deux tâches retirées, une ajoutée.
`;

const cabane = () =>
  temporaryVault({
    "projects/cabane/changelog.md": JOURNAL,
    "tasks.md": "# Vernir\nstatus: à-faire\n",
    "vide.md": "",
    "img.png": "x",
  });

describe("concat", () => {
  it("assembles whole files and ranges in the order given, with their original numbers", async () => {
    const result = await callerOf(cabane()).search("concat", {
      files: [
        { path: "vault/projects/cabane/changelog.md", lines: "9-12" },
        { path: "vault/tasks.md", lines: null },
        { path: "vault/projects/cabane/changelog.md", lines: "7-7" },
      ],
    });
    expect(textOf(result)).toBe(
      [
        "```vault/projects/cabane/changelog.md (lines 9-12)",
        "9  | ## Visite de la mairie",
        "10 | Rien à signaler.",
        "11 |",
        "12 | ## [décision] Louer la carotteuse",
        "```",
        "",
        "```vault/tasks.md",
        "1  | # Vernir",
        "2  | status: à-faire",
        "```",
        "",
        "```vault/projects/cabane/changelog.md (lines 7-7)",
        "7  | # 2026-03-09",
        "```",
      ].join("\n"),
    );
  });

  it("gives an empty text for an empty list", async () => {
    const result = await callerOf(cabane()).search("concat", { files: [] });
    expect(textOf(result)).toBe("");
    expect(result.isError).toBe(false);
  });

  it("takes an empty range, or none, as the whole file", async () => {
    const caller = callerOf(cabane());
    const whole = "```vault/tasks.md\n1  | # Vernir\n2  | status: à-faire\n```";
    for (const lines of ["", null, undefined]) {
      expect(textOf(await caller.search("concat", { files: [{ path: "tasks.md", lines }] }))).toBe(
        whole,
      );
    }
  });

  it("ends a range at the last line there is", async () => {
    const text = textOf(
      await callerOf(cabane()).search("concat", { files: [{ path: "tasks.md", lines: "1-9999" }] }),
    );
    expect(text.split("\n")[0]).toBe("```vault/tasks.md (lines 1-2)");
  });

  it('takes "12" as "12-12"', async () => {
    const text = textOf(
      await callerOf(cabane()).search("concat", { files: [{ path: "tasks.md", lines: "2" }] }),
    );
    expect(text).toBe("```vault/tasks.md (lines 2-2)\n2  | status: à-faire\n```");
  });

  it.each(["0-5", "9-3", "abc-def", "1-", "-4", "1,4", "1-2-3"])(
    "refuses the range %s and names the form",
    async (lines) => {
      const result = await callerOf(cabane()).search("concat", {
        files: [{ path: "tasks.md", lines }, { path: "vide.md" }],
      });
      expect(result.isError).toBe(false);
      expect(textOf(result)).toContain('of the form "9-14"');
    },
  );

  it("refuses a range past the end, naming the number of lines", async () => {
    const result = await callerOf(cabane()).search("concat", {
      files: [{ path: "tasks.md", lines: "3-4" }],
    });
    expect(result.isError).toBe(true);
    expect(result.structured).toMatchObject({ errors: [{ code: "invalid_argument" }] });
    expect(textOf(result)).toContain("vault/tasks.md has 2 lines");
  });

  it("reports missing files, folders and images and assembles the others", async () => {
    const result = await callerOf(cabane()).search("concat", {
      files: [
        { path: "absent.md" },
        { path: "projects" },
        { path: "img.png" },
        { path: "tasks.md" },
      ],
    });
    expect(textOf(result)).toContain("1  | # Vernir");
    const [, errors] = textOf(result).split("Errors:\n");
    expect(errors?.split("\n")).toHaveLength(3);
    expect(errors).toContain("vault/absent.md does not exist");
  });

  it("stops at 50,000 tokens for a model and says how to go on; gives a program all", async () => {
    const vault = temporaryVault({
      "gros.md": Array.from({ length: 9000 }, () => "mot ".repeat(10)).join("\n"),
    });
    const text = textOf(
      await callerOf(vault, { mostTokens: 8000 }).search("concat", {
        files: [{ path: "gros.md" }, { path: "gros.md", lines: "1-2" }],
      }),
    );
    expect(text.length / 4).toBeLessThan(50_300);
    expect(text).toMatch(/lines \d+-9000 of vault\/gros\.md are left out\. Next: concat\(/u);
    const all = textOf(await callerOf(vault).search("concat", { files: [{ path: "gros.md" }] }));
    expect(all).toMatch(/^```vault\/gros\.md\n/u);
    expect(all.split("\n")).toHaveLength(9002);
  });
});
