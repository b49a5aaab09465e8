import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryPlace } from "../../testing/cli.ts";

describe("coffre move", () => {
  it("renames a file, into folders that did not exist", async () => {
    const { root, run } = temporaryPlace({ "a b.md": "x\n" });
    const { code, stdout } = await run(["move", "a b.md", "new/🌱.md"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Moved vault\/a b\.md to vault\/new\/🌱\.md\. History: \w+\.\n$/u);
    expect(existsSync(path.join(root, "new/🌱.md"))).toBe(true);
  });

  it("gives programs both paths as JSON", async () => {
    const { json } = temporaryPlace({ "a/x.md": "x\n", "b/y.md": "y\n" });
    expect(await json(["move", "a", "b/"])).toEqual({
      from: "vault/a/",
      to: "vault/b/a/",
      history: expect.any(String),
      links: { rewritten: 0, files: 0, left: 0, left_in: [] },
    });
  });

  it("rewrites links, and not when it is told so", async () => {
    const { root, run } = temporaryPlace({ "a.md": "a\n", "b.md": "[[a]] [a](a.md)\n" });
    const { stdout } = await run(["move", "a.md", "d/c.md"]);
    expect(stdout).toContain("Moved vault/a.md to vault/d/c.md. Rewrote 2 links in 1 file.");
    const links = readFileSync(path.join(root, "b.md"), "utf8");
    expect(links).toContain("[[c]] [a](d/c.md)");
    expect((await run(["move", "d/c.md", "e.md", "--no-update-links"])).code).toBe(0);
    expect(readFileSync(path.join(root, "b.md"), "utf8")).toBe(links);
  });

  it("exits 1 rather than replace anything", async () => {
    const { root, run } = temporaryPlace({ "a.md": "a\n", "b.md": "b\n" });
    const { code, stderr } = await run(["move", "a.md", "b.md"]);
    expect(code).toBe(1);
    expect(stderr).toContain("vault/b.md already exists; nothing was changed.");
    expect(existsSync(path.join(root, "a.md"))).toBe(true);
  });

  it("exits 2 with one path or three", async () => {
    const { run } = temporaryPlace({ "a.md": "a\n" });
    expect((await run(["move", "a.md"])).code).toBe(2);
    expect((await run(["move", "a.md", "b.md", "c.md"])).code).toBe(2);
  });
});
