import { renameSync, rmSync, writeFileSync } from "node:fs";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { createService } from "./compose.ts";

import { found, home, start, update, until, expectRight } from "./testing/service-home.ts";
import { textOf } from "./testing/temporary-vault.ts";

const FILES = {
  "a.md": "zebra one\n",
  "private/b.md": "zebra two\n",
  "private/deep/c.md": "zebra three\n",
  "work/d.md": "zebra four\n",
};

const SEARCH = { mode: "fast", scope: null, limit: 1000, from: null, to: null } as const;

describe("a service", () => {
  it("hides what a new .coffreignore names, and shows it again when that is gone", async () => {
    const place = home(FILES);
    const service = await start(place);
    expect((await found(service, "zebra")).toSorted()).toEqual(Object.keys(FILES).toSorted());
    writeFileSync(place.file(".coffreignore"), "private/\n");
    await until(service, async () => (await found(service, "zebra")).length === 2);
    expect((await found(service, "zebra")).toSorted()).toEqual(["a.md", "work/d.md"]);
    expect(textOf(await update(service, "tree", {}))).not.toContain("private");
    expect(place.read("tree.md")).not.toContain("private");
    const status = await service.status();
    expect(status.ignored).toEqual({ hidden: 1, unlisted: 0 });
    // The root and work: a hidden folder is not watched.
    expect(status.watcher.folders).toBe(2);
    const before = place.read("private/b.md");
    writeFileSync(place.file("private/b.md"), `${before}zebra again\n`);
    writeFileSync(place.file("private/new.md"), "zebra five\n");
    await service.rescan();
    await service.settled();
    expect(place.read("private/new.md")).toBe("zebra five\n");
    expect(await found(service, "five")).toEqual([]);
    rmSync(place.file(".coffreignore"));
    await until(service, async () => (await found(service, "zebra")).length === 5);
    expect(await found(service, "five")).toEqual(["private/new.md"]);
    expect((await service.status()).watcher.folders).toBe(4);
    await expectRight(service, place);
  });

  it("finds nothing in what is hidden while many files are indexed for the first time", async () => {
    const many = Array.from({ length: 600 }, (_, at) => at);
    const place = home(
      Object.fromEntries(
        many.flatMap((at) => [
          [`private/${at}.md`, "zebra\n"],
          [`work/${at}.md`, "zebra\n"],
        ]),
      ),
    );
    const service = await createService({ ...place, isComparingLater: true });
    onTestFinished(async () => service.close());
    await vi.waitFor(async () => expect(service.pending).toBeGreaterThan(0), { interval: 1 });
    writeFileSync(place.file(".coffreignore"), "private/\n");
    await until(service, async () => (await service.status()).ignored.hidden === 1);
    await until(service, async () => (await service.status()).index.files === 600);
    expect(await service.index.search({ ...SEARCH, queries: ["zebra"] })).toMatchObject({
      hits: expect.not.arrayContaining([
        expect.objectContaining({ path: expect.stringMatching(/^private/u) }),
      ]),
    });
    expect(textOf(await update(service, "tree", {}))).not.toContain("private");
  });

  it("removes everything from the index when everything is hidden", async () => {
    const place = home(FILES);
    const service = await start(place);
    writeFileSync(place.file(".coffreignore"), "*\n");
    await until(service, async () => (await found(service, "zebra")).length === 0);
    expect((await service.status()).alarms).toEqual([]);
    expect((await service.status()).index.files).toBe(0);
  });

  it("follows an ignore file that is edited in place, in a folder, or moved in", async () => {
    const place = home({ ...FILES, "work/.coffreignore": "x.md\n" });
    const service = await start(place);
    writeFileSync(place.file("work/.coffreignore"), "d.md\n");
    await until(service, async () => !(await found(service, "zebra")).includes("work/d.md"));
    renameSync(place.file("work/.coffreignore"), place.file("private/.coffreignore"));
    await until(service, async () => (await found(service, "zebra")).includes("work/d.md"));
    expect((await service.status()).ignored).toEqual({ hidden: 0, unlisted: 0 });
  });

  it("keeps what .gitignore names out of lists, index and frontmatter", async () => {
    const place = home({ ...FILES, "node_modules/p/README.md": "zebra p\n" });
    const service = await start(place);
    expect(await found(service, "zebra")).toHaveLength(4);
    writeFileSync(place.file(".gitignore"), "private/\na.md\n");
    await until(service, async () => (await found(service, "zebra")).length === 2);
    expect((await service.status()).ignored).toEqual({ hidden: 0, unlisted: 2 });
    await update(service, "write", { path: "vault/private/new.md", content: "zebra six" });
    await service.settled();
    expect(place.read("private/new.md")).toBe("zebra six");
    expect(await found(service, "six")).toEqual([]);
    expect(textOf(await update(service, "read", { paths: ["vault/private/new.md"] }))).toContain(
      "six",
    );
    expect(place.read("node_modules/p/README.md")).toBe("zebra p\n");
    await expectRight(service, place);
  });

  it("works when the usual files and folders are hidden", async () => {
    const place = home({
      ...FILES,
      ".coffreignore": "inbox/\nprofile.md\ntree.md\n",
      "inbox/x/review.md": "zebra\n",
    });
    const service = await createService({ ...place, memory: { model: null, onBug: () => {} } });
    onTestFinished(async () => service.close());
    expect((await service.status()).inbox).toBe(0);
    expect(await service.memory?.inbox.list()).toEqual([]);
    expect(await service.memory?.recall("zebra")).toMatchObject({ sources: expect.any(Array) });
    const made = await service.frontmatter.init({
      lang: "en",
      demo: false,
      now: new Date(),
      actor: "test",
    });
    expect(made).toContain("overview.md");
    expect(made).not.toContain("profile.md");
  });

  it("writes no frontmatter and no tree.md where they are hidden", async () => {
    const place = home({ ...FILES, ".coffreignore": "tree.md\nprivate/\n" });
    const service = await start(place);
    expect(() => place.read("tree.md")).toThrow("ENOENT");
    expect(place.read("private/b.md")).toBe("zebra two\n");
    expect((await service.status()).lastError).toBeNull();
  });
});
