import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { snapshotOf } from "../../testing/tree-snapshot.ts";
import { field, serve, temporaryPlace } from "../testing/cli.ts";

const FILES = {
  "a.md": "# A\n",
  "d/b.md": "---\ntags: [x]\n---\nB\n",
  "own.md": '---\nupdated: "[[2021-03-05]]"\n---\nC\n',
  "hugo.md": "+++\ntitle = 'A'\n+++\nA\n",
  "board.canvas": "{}\n",
};

describe("coffre adopt", () => {
  it("shows what is there and what each choice would change, and changes nothing", async () => {
    const { root, run } = temporaryPlace(FILES);
    const before = snapshotOf(root, { times: true });
    const { code, stdout } = await run(["adopt"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^4 notes\. In force: own \(by default\)\.$/mu);
    expect(stdout).toMatch(/^ {2}1 with a created, updated or tokens of your own/mu);
    expect(stdout).toMatch(/^ {2}1 with TOML or JSON front matter, left alone$/mu);
    expect(stdout).toMatch(/^all {3}every note .*: 3 notes change$/mu);
    expect(stdout).toMatch(/^own {3}only notes .*: nothing changes now$/mu);
    expect(stdout).toMatch(/^\+created: /mu);
    expect((await run(["adopt", "--frontmatter", "all", "--dry-run"])).code).toBe(0);
    expect(snapshotOf(root, { times: true })).toEqual(before);
  });

  it("does a choice as one change, which one undo takes back with the setting", async () => {
    const { root, run, json } = temporaryPlace(FILES);
    const before = snapshotOf(root);
    const adopted = await json(["adopt", "--frontmatter", "all"]);
    expect(adopted).toEqual({
      setting: "all",
      before: "own",
      history: expect.any(String),
      files: 3,
    });
    expect(readFileSync(path.join(root, "a.md"), "utf8")).toMatch(
      /^---\ncreated: .*\n---\n\n# A\n$/su,
    );
    expect(existsSync(path.join(root, "tree.md"))).toBe(true);
    const undone = await run(["undo", field(adopted, "history")]);
    expect(undone.stdout).toContain("changed vault/a.md");
    expect(snapshotOf(root)).toEqual(before);
    expect(await json(["status"])).toMatchObject({ frontmatter: { setting: "own" } });
    // A person who chooses it again means it.
    expect(await json(["adopt", "--frontmatter", "all"])).toMatchObject({ files: 3 });
  });

  it("skips in the undo what changed since, and names it", async () => {
    const { root, run, json } = temporaryPlace(FILES);
    const id = field(await json(["adopt", "--frontmatter", "all"]), "history");
    appendFileSync(path.join(root, "a.md"), "More.\n");
    const { code, stdout } = await run(["undo", id]);
    expect(code).toBe(0);
    expect(stdout).toContain("left as it is, because it changed since: vault/a.md");
    expect(readFileSync(path.join(root, "d/b.md"), "utf8")).toBe(FILES["d/b.md"]);
    expect(readFileSync(path.join(root, "a.md"), "utf8")).toMatch(/# A\nMore\.\n$/u);
  });

  it("takes our tree.md away with none, and the undo brings it back", async () => {
    const { root, run, json } = temporaryPlace(FILES);
    await run(["adopt", "--frontmatter", "all"]);
    const dry = await run(["adopt", "--frontmatter", "none", "--dry-run"]);
    expect(dry.stdout).toContain("vault/tree.md is taken away");
    const adopted = await json(["adopt", "--frontmatter", "none"]);
    expect(adopted).toMatchObject({ setting: "none", before: "all", files: 1 });
    expect(existsSync(path.join(root, "tree.md"))).toBe(false);
    await run(["undo", field(adopted, "history")]);
    expect(existsSync(path.join(root, "tree.md"))).toBe(true);
    expect(await json(["status"])).toMatchObject({ frontmatter: { setting: "all" } });
  });

  it("asks the running service, whose next start has the same setting", async () => {
    const place = temporaryPlace(FILES);
    const child = await serve(place);
    expect(await place.json(["adopt", "--frontmatter", "all"])).toMatchObject({ files: 3 });
    child.process.kill("SIGTERM");
    await child.finished();
    expect(await place.json(["status"])).toMatchObject({
      frontmatter: { setting: "all", chosen: true },
    });
  });

  it("keeps the old bytes until it is told to let them go", async () => {
    const { run } = temporaryPlace(FILES);
    await run(["adopt", "--frontmatter", "all"]);
    expect((await run(["adopt", "--forget-old"])).stdout).toContain("forgotten like those");
    expect((await run(["adopt", "--forget-old"])).stdout).toContain("No old bytes");
  });

  it("refuses a choice that there is not", async () => {
    const { run } = temporaryPlace(FILES);
    expect((await run(["adopt", "--frontmatter", "some"])).code).toBe(2);
  });
});
