import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryPlace } from "../testing/cli.ts";

const FILES = {
  "changelog.md":
    "# 2026-11-03\n\n## The roof\nThe roof costs 4,280 with the slates.\n\n# 2026-11-02\n\n## The door\nThe door is red.\n",
};

describe("coffre verify", () => {
  it("says what became of each source of an answer, and ends with 1 when it no longer holds", async () => {
    const { root, run } = temporaryPlace(FILES);
    const { stdout: answer } = await run(["recall", "what does the roof cost?"]);
    const verify = async (): Promise<[number, string]> => {
      const { code, stdout } = await run(["verify", "-"], { stdin: answer });
      return [code, stdout.split("\n")[0] ?? ""];
    };
    expect(await verify()).toEqual([0, "Same: [1] vault/changelog.md:1-5"]);
    const entry = "# 2026-11-10\n\n## Windows\nTwo of them.";
    await run(["append", "changelog.md", entry, "--top"]);
    // The program stamps the file with the first command that owns the vault.
    const [code, first] = await verify();
    expect(code).toBe(0);
    expect(first).toMatch(
      /^Moved: \[1\] vault\/changelog\.md:1-5 → vault\/changelog\.md:\d+-\d+$/u,
    );

    mkdirSync(path.join(root, "sub"));
    renameSync(path.join(root, "changelog.md"), path.join(root, "sub/changelog.md"));
    expect((await verify())[1]).toMatch(/ → vault\/sub\/changelog\.md:\d+-\d+$/u);
    renameSync(path.join(root, "sub/changelog.md"), path.join(root, "changelog.md"));

    const newer =
      "# 2026-11-16\n\n## Slates\nNow 4,510.\nReplaces: [[changelog#The roof]] (4,280)\n";
    writeFileSync(path.join(root, "newer.md"), newer);
    const replaced = await verify();
    expect(replaced[0]).toBe(1);
    expect(replaced[1]).toMatch(
      /^Replaced: \[1\] vault\/changelog\.md:1-5 by vault\/newer\.md:1-5.*; now at vault\/changelog\.md:\d+-\d+$/u,
    );
    writeFileSync(path.join(root, "changelog.md"), "# 2026-11-03\n");
    writeFileSync(path.join(root, "newer.md"), "x\n");
    expect(await verify()).toEqual([1, "Changed: [1] vault/changelog.md:1-5"]);
  });

  it("takes a file, or what --json gave, and gives JSON itself", async () => {
    const { root, state, run } = temporaryPlace(FILES);
    const { stdout } = await run(["recall", "what does the roof cost?", "--json"]);
    const file = path.join(path.dirname(state), "answer.json");
    writeFileSync(file, stdout);
    const { code, stdout: found } = await run(["verify", file, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(found)).toMatchObject({
      holds: true,
      sources: [{ state: "same", mark: 1 }],
    });
    writeFileSync(path.join(root, "changelog.md"), "");
    expect((await run(["verify", file, "--json"])).code).toBe(1);
  });

  it("refuses what has no source in it", async () => {
    const { run } = temporaryPlace(FILES);
    const { code, stderr } = await run(["verify", "-"], { stdin: "Because I say so." });
    expect(code).toBe(1);
    expect(stderr).toContain("There is no source in it");
  });
});
