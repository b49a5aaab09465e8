import { existsSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryPlace } from "../../testing/cli.ts";

describe("coffre delete", () => {
  it("deletes a folder with all under it, and says how to get it back", async () => {
    const { root, run } = temporaryPlace({ "old/a.md": "12345678", "old/sub/b.md": "1234" });
    const { code, stdout } = await run(["delete", "old"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Deleted vault\/old\/: 2 files, 3 tokens\. History: \w+; undo brings it back\.\n$/u,
    );
    expect(existsSync(path.join(root, "old"))).toBe(false);
  });

  it("deletes a file with a line break in its name", async () => {
    const { root, run } = temporaryPlace({ "two\nlines.md": "x\n" });
    expect((await run(["delete", "two␊lines.md"])).code).toBe(0);
    expect(existsSync(path.join(root, "two\nlines.md"))).toBe(false);
  });

  it("gives programs the counts as JSON", async () => {
    const { json } = temporaryPlace({ "a.md": "12345678" });
    expect(await json(["delete", "a.md"])).toMatchObject({ files: 1, tokens: 2 });
  });

  it.each(["", "vault/", "overview.md", "gone.md"])("exits 1 for %j", async (name) => {
    const { root, run } = temporaryPlace({ "overview.md": "x\n" });
    const { code, stderr } = await run(["delete", name]);
    expect(code).toBe(1);
    expect(stderr).not.toBe("");
    expect(existsSync(path.join(root, "overview.md"))).toBe(true);
  });

  it("exits 2 without a path", async () => {
    const { run } = temporaryPlace();
    expect((await run(["delete"])).code).toBe(2);
  });
});
