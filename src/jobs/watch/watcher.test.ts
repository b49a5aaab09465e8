import {
  appendFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, it, vi } from "vitest";

import { writeFiles } from "../../testing/temporary-vault.ts";
import { PATIENCE, watched, watcherOn } from "../testing/watched-folder.ts";

/** As a careful editor writes: nobody ever sees half a file. */
function replaceFile(file: string, content: string, temporary = `${file}.new`): void {
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}

describe("files", () => {
  it("reports a file that is new, changed, renamed and gone", async () => {
    const { at, reported, clear, seen, settled } = await watched({ "a/b/old.md": "" });
    writeFileSync(at("a/b/new.md"), "1");
    await reported("a/b/new.md");
    clear();
    appendFileSync(at("a/b/new.md"), "2");
    await reported("a/b/new.md");
    clear();
    renameSync(at("a/b/new.md"), at("moved.md"));
    await reported("a/b/new.md", "moved.md");
    clear();
    unlinkSync(at("moved.md"));
    await settled();
    expect([...seen]).toEqual(["moved.md"]);
  });

  it("reports each of many atomic writes of one file", async () => {
    const { at, seen, clear, settled } = await watched({ "a/state.md": "" });
    for (let time = 1; time <= 20; time += 1) {
      replaceFile(at("a/state.md"), String(time));
      await settled();
      expect(seen).toContain("a/state.md");
      clear();
    }
  });

  it("reports everything there at the start only when it changes", async () => {
    const { at, seen, settled } = await watched({
      "a/one.md": "",
      "a/b/two.md": "",
      "three.md": "",
    });
    writeFileSync(at("a/b/two.md"), "2");
    await settled();
    expect([...seen]).toEqual(["a/b/two.md"]);
  });

  it("puts together what happens at once", async () => {
    const { at, calls, settled } = await watched({ "a/one.md": "" });
    for (let time = 0; time < 100; time += 1) writeFileSync(at(`a/${time % 10}.md`), String(time));
    await settled();
    expect(calls[0]?.paths.size).toBeGreaterThanOrEqual(10);
    expect(calls.every(({ isBurst }) => !isBurst)).toBe(true);
  });

  it("ignores hidden names at every level", async () => {
    const { at, seen, settled, watcher } = await watched({
      ".git/config": "",
      "a/.cache/x.md": "",
    });
    writeFiles(at(""), {
      ".git/HEAD": "1",
      "a/.cache/y.md": "1",
      "a/.hidden.md": "1",
      "a/.new/deep/z.md": "1",
    });
    replaceFile(at("a/shown.md"), "1", at("a/.shown.md.tmp"));
    renameSync(at("a/.hidden.md"), at("a/.renamed.md"));
    await settled();
    expect([...seen]).toEqual(["a/shown.md"]);
    expect(watcher.folders).toBe(2);
  });

  it("shows what is renamed to a hidden name as gone, and back as new", async () => {
    const { at, seen, clear, settled, watcher } = await watched({ "a/b/c.md": "", "d.md": "" });
    renameSync(at("a"), at(".a"));
    renameSync(at("d.md"), at(".d.md"));
    await settled();
    expect([...seen].toSorted()).toEqual(["a", "a/b", "a/b/c.md", "d.md"]);
    expect(watcher.folders).toBe(1);
    clear();
    renameSync(at(".a"), at("a"));
    await settled();
    expect([...seen].toSorted()).toEqual(["a", "a/b", "a/b/c.md"]);
    expect(watcher.folders).toBe(3);
  });

  it("names things as the vault does", async () => {
    const { at, seen, clear, settled } = await watched({});
    const folder = "Re\u0301union";
    mkdirSync(at(folder));
    writeFileSync(at(`${folder}/note\n1.md`), "");
    await settled();
    expect([...seen].toSorted()).toEqual(["R\u00e9union", "R\u00e9union/note\u240a1.md"]);
    clear();
    writeFileSync(at(`${folder}/e\u0301te\u0301.md`), "");
    await settled();
    expect([...seen]).toEqual(["R\u00e9union/\u00e9t\u00e9.md"]);
  });
});

describe("folders", () => {
  it("reports all of a tree that is made at once, and watches it", async () => {
    const { at, reported, watcher, clear } = await watched({});
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`a/b${i}/c/d/${i}.md`, "x"]),
    );
    writeFiles(at(""), files);
    await reported(
      "a",
      ...Object.keys(files),
      ...Object.keys(files).map((file) => path.posix.dirname(file)),
    );
    expect(watcher.folders).toBe(1 + 1 + 30 * 3);
    clear();
    for (const file of Object.keys(files)) appendFileSync(at(file), "more");
    await reported(...Object.keys(files));
  });

  it("reports all of a folder that is moved in, and watches it", async () => {
    const { at, outside, seen, settled, reported } = await watched({});
    writeFiles(outside, { "in/one.md": "", "in/deep/two.md": "", "in/.no/three.md": "" });
    renameSync(path.join(outside, "in"), at("moved"));
    await settled();
    expect([...seen].toSorted()).toEqual([
      "moved",
      "moved/deep",
      "moved/deep/two.md",
      "moved/one.md",
    ]);
    writeFileSync(at("moved/deep/four.md"), "");
    await reported("moved/deep/four.md");
  });

  it("reports a folder that is moved out, and nothing that happens to it there", async () => {
    const { at, outside, seen, clear, settled, watcher } = await watched({ "a/b/c.md": "" });
    renameSync(at("a"), path.join(outside, "a"));
    writeFileSync(path.join(outside, "a/b/d.md"), "");
    await settled();
    expect([...seen].toSorted()).toEqual(["a", "a/b", "a/b/c.md"]);
    expect(watcher.folders).toBe(1);
    clear();
    writeFileSync(path.join(outside, "a/b/c.md"), "changed");
    await settled();
    expect([...seen]).toEqual([]);
  });

  it("follows a folder that is renamed: what happens in it has its new path, never the old", async () => {
    const { at, seen, clear, settled, reported } = await watched({ "a/b/c.md": "", "d/e.md": "" });
    renameSync(at("a"), at("d/z"));
    writeFileSync(at("d/z/b/at once.md"), "");
    await reported("a", "d/z", "d/z/b", "d/z/b/c.md", "d/z/b/at once.md");
    expect(seen).not.toContain("a/b/at once.md");
    clear();
    appendFileSync(at("d/z/b/c.md"), "more");
    writeFileSync(at("d/z/b/later.md"), "");
    await settled();
    expect([...seen].toSorted()).toEqual(["d/z/b/c.md", "d/z/b/later.md"]);
  });

  it("follows a folder that is renamed many times over", async () => {
    const { at, seen, clear, settled, watcher } = await watched({ "a0/b/c.md": "" });
    for (let time = 0; time < 50; time += 1) renameSync(at(`a${time}`), at(`a${time + 1}`));
    writeFileSync(at("a50/b/d.md"), "");
    await settled();
    expect(seen).toContain("a50/b/d.md");
    clear();
    writeFileSync(at("a50/b/d.md"), "again");
    await settled();
    expect([...seen]).toEqual(["a50/b/d.md"]);
    expect(watcher.folders).toBe(3);
  });

  it("reports a folder that is deleted, and closes its watches", async () => {
    const { at, reported, watcher } = await watched({ "a/b/c.md": "", "a/d/e.md": "", "f.md": "" });
    rmSync(at("a"), { recursive: true });
    await reported("a", "a/b", "a/b/c.md", "a/d/e.md");
    expect(watcher.folders).toBe(1);
    await openWatches(1);
  });

  it("watches a folder that was deleted and made again, number reused or not", async () => {
    const { at, reported, clear, settled, watcher } = await watched({
      "a/b/c.md": "",
      "a/d.md": "",
    });
    for (let time = 0; time < 30; time += 1) {
      rmSync(at("a"), { recursive: true });
      mkdirSync(at("a/b"), { recursive: true });
      await settled();
      clear();
      writeFileSync(at(`a/b/${time}.md`), "");
      writeFileSync(at(`a/${time}.md`), "");
      await reported(`a/b/${time}.md`, `a/${time}.md`);
      expect(watcher.folders).toBe(3);
    }
  });

  it("reports what was known in a folder that another has replaced", async () => {
    const { at, outside, reported, seen } = await watched({ "a/b/old.md": "", "a/both.md": "1" });
    writeFiles(outside, { "other/new.md": "", "other/both.md": "2" });
    renameSync(at("a"), path.join(outside, "before"));
    renameSync(path.join(outside, "other"), at("a"));
    await reported("a", "a/b", "a/b/old.md", "a/both.md", "a/new.md");
    writeFileSync(path.join(outside, "before/b/old.md"), "2");
    seen.clear();
    writeFileSync(at("a/later.md"), "");
    await reported("a/later.md");
    expect(seen).not.toContain("a/b/old.md");
  });

  it("reports a folder that becomes a file, and a file that becomes a folder", async () => {
    const { at, reported, watcher, clear } = await watched({ "a/b.md": "", c: "" });
    rmSync(at("a"), { recursive: true });
    writeFileSync(at("a"), "file");
    rmSync(at("c"));
    writeFiles(at(""), { "c/d.md": "" });
    await reported("a", "a/b.md", "c", "c/d.md");
    expect(watcher.folders).toBe(2);
    clear();
    writeFileSync(at("a"), "changed");
    writeFileSync(at("c/d.md"), "changed");
    await reported("a", "c/d.md");
  });

  it("takes a folder whose times or rights change for one made again: names the files in it, and not it", async () => {
    const { at, seen, settled } = await watched({ "a/b/c.md": "", "a/d.md": "" });
    utimesSync(at("a"), 1, 1);
    await settled();
    expect([...seen]).toEqual(["a/d.md"]);
  });

  it("sees trees that are made, moved and deleted while it looks", async () => {
    const { at, reported, watcher, settled } = await watched({});
    for (let i = 0; i < 60; i += 1) {
      writeFiles(at(""), { [`new/${i}/x/y.md`]: "" });
      await new Promise((next) => setImmediate(next));
      renameSync(at(`new/${i}`), at(`new/done ${i}`));
      writeFileSync(at(`new/done ${i}/x/z.md`), "");
      if (i % 2 === 0) rmSync(at(`new/done ${i}`), { recursive: true });
    }
    await settled();
    await reported("new/done 1/x/y.md", "new/done 59/x/z.md");
    expect(watcher.folders).toBe(2 + 30 * 2);
  });
});

describe("links", () => {
  it("neither follows nor watches a link to a folder", async () => {
    const { at, outside, seen, settled, watcher } = await watched({ "a/b.md": "" });
    writeFiles(outside, { "far/secret.md": "" });
    symlinkSync(outside, at("link"));
    symlinkSync(at("a"), at("a/circle"));
    await settled();
    writeFileSync(path.join(outside, "far/secret.md"), "changed");
    writeFileSync(path.join(outside, "new.md"), "");
    await settled();
    expect(watcher.folders).toBe(2);
    expect([...seen].filter((each) => each.includes("link/") || each.includes("circle/"))).toEqual(
      [],
    );
  });

  it("does not follow a link to a folder that was there at the start, or comes with a folder", async () => {
    const scene = watcherOn({ "a/b.md": "" });
    const { at, outside, seen, settled, watcher } = scene;
    writeFiles(outside, { "far/secret.md": "", "in/x.md": "" });
    symlinkSync(path.join(outside, "far"), at("link"));
    symlinkSync(path.join(outside, "far"), path.join(outside, "in/link"));
    await watcher.start();
    renameSync(path.join(outside, "in"), at("in"));
    await settled();
    expect([...seen].toSorted()).toEqual(["in", "in/x.md"]);
    expect(watcher.folders).toBe(3);
  });

  it("reports a folder that a link to a folder replaces", async () => {
    const { at, outside, reported, watcher } = await watched({ "a/b.md": "" });
    renameSync(at("a"), path.join(outside, "a"));
    symlinkSync(path.join(outside, "a"), at("a"));
    await reported("a", "a/b.md");
    expect(watcher.folders).toBe(1);
  });

  it("reports links to files like files", async () => {
    const { at, seen, clear, settled } = await watched({ "a.md": "" });
    symlinkSync(at("a.md"), at("soft.md"));
    linkSync(at("a.md"), at("hard.md"));
    await settled();
    expect(seen).toContain("soft.md");
    expect(seen).toContain("hard.md");
    clear();
    writeFiles(at(".tmp"), { "x.md": "" });
    symlinkSync(at("a.md"), at(".tmp/soft.md"));
    renameSync(at(".tmp"), at("new"));
    unlinkSync(at("soft.md"));
    await settled();
    expect([...seen].toSorted()).toEqual(["new", "new/soft.md", "new/x.md", "soft.md"]);
  });
});

describe("starting and closing", () => {
  it("lets others run while it starts, and reports what happens meanwhile", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1600 }, (_, i) => [`${i % 40}/${i}/note.md`, ""]),
    );
    const { at, watcher, reported, calls } = watcherOn(files);
    const started = watcher.start();
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      if (turns === 1) writeFiles(at(""), { "early.md": "", "0/0/note.md": "changed" });
      if (watcher.folders < 1641) setImmediate(turn);
    };
    setImmediate(turn);
    await started;
    expect(calls).toEqual([]);
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(watcher.folders).toBe(1641);
    expect(watcher.unwatched).toBe(0);
    await reported("early.md");
  });

  it("says nothing after it is closed, and leaves nothing open", async () => {
    const { at, watcher, calls, outside } = await watched({ "a/b/c.md": "", "d/e.md": "" });
    await openWatches(4);
    writeFileSync(at("a/b/c.md"), "1");
    renameSync(at("d"), path.join(outside, "d"));
    watcher.close();
    writeFileSync(at("a/b/c.md"), "2");
    watcher.rescan();
    await openWatches(0);
    const other = await watched({});
    await other.settled();
    expect(calls).toEqual([]);
    expect(watcher.folders).toBe(0);
  });

  it("can be closed while it starts, and before", async () => {
    const files = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`${i}/note.md`, ""]));
    const early = watcherOn(files);
    const started = early.watcher.start();
    early.watcher.close();
    await started;
    const never = watcherOn(files);
    never.watcher.close();
    await never.watcher.start();
    expect([early.watcher.folders, never.watcher.folders]).toEqual([0, 0]);
    await openWatches(0);
  });

  it("can be closed and rescanned from within a report", async () => {
    let time = 0;
    const scene = watcherOn(
      { "a/b.md": "" },
      {
        onChanges: () => {
          time += 1;
          if (time === 1) scene.watcher.rescan();
          else scene.watcher.close();
        },
      },
    );
    await scene.watcher.start();
    writeFileSync(scene.at("a/b.md"), "1");
    await scene.reported("a/b.md");
    writeFileSync(scene.at("a/c.md"), "1");
    await scene.reported("a/c.md");
    expect(scene.watcher.folders).toBe(0);
  });
});

describe("one watch for the whole tree", () => {
  it("reports files, and all of a folder that comes", async () => {
    const { at, outside, seen, watcher } = await watched({ "a/b.md": "" }, { recursive: true });
    expect(watcher.folders).toBe(1);
    await vi.waitFor(() => {
      writeFileSync(at("a/b.md"), String(performance.now()));
      writeFiles(at(".git"), { "a/b.md": "" });
      expect(seen).toContain("a/b.md");
    }, PATIENCE);
    writeFiles(outside, { "in/deep/x.md": "" });
    renameSync(path.join(outside, "in"), at("in"));
    await vi.waitFor(() => expect(seen).toContain("in/deep/x.md"), PATIENCE);
    expect([...seen].filter((each) => each.startsWith("."))).toEqual([]);
  });

  it("says that it may have lost some when the system names nothing", async () => {
    const tell: ((type: string, name: string | null) => void)[] = [];
    const { calls } = await watched(
      {},
      {
        recursive: true,
        watch: (_place, options, onEvent) => {
          expect(options.recursive).toBe(true);
          tell.push(onEvent);
          return { close: () => {}, on: () => {} };
        },
      },
    );
    tell[0]?.("change", null);
    await vi.waitFor(() => expect(calls.map(({ isBurst }) => isBurst)).toEqual([true]), PATIENCE);
  });
});

describe("ignored paths", () => {
  it.each([false, true])("are not reported (recursive: %s)", async (recursive) => {
    const onIgnoreFile = vi.fn<() => void>();
    const { at, seen, clear, settled } = await watched(
      { ".coffreignore": "private/\n*.key.md\n", "private/a.md": "", "b.md": "" },
      { recursive, onIgnoreFile },
    );
    await settled();
    clear();
    writeFiles(at(""), {
      "private/a.md": "1",
      "private/new/b.md": "",
      "x.key.md": "",
      "b.md": "1",
    });
    writeFiles(at(""), { "c/private/d.md": "", "c/e.md": "", "c/node_modules/f.md": "" });
    await settled();
    expect([...seen].toSorted()).toEqual(["b.md", "c", "c/e.md"]);
    expect(onIgnoreFile).not.toHaveBeenCalled();
    writeFileSync(at("c/.gitignore"), "");
    await vi.waitFor(() => expect(onIgnoreFile).toHaveBeenCalled(), PATIENCE);
  });

  it("are not watched, and are again when the rules change", async () => {
    const { at, watcher, reported } = await watched({
      ".coffreignore": "a/\n",
      "a/b/c.md": "",
      "d/e.md": "",
    });
    expect(watcher.folders).toBe(2);
    writeFileSync(at(".coffreignore"), "d/\n");
    watcher.rescan();
    await reported("a/b/c.md", "d/e.md");
    expect(watcher.folders).toBe(3);
  });
});

/** Waits until so many of Node's watches are open in this process; those of the tests before close in their own time. */
async function openWatches(count: number): Promise<void> {
  await vi.waitFor(() => {
    const open = process.getActiveResourcesInfo().filter((each) => each === "FSEventWrap");
    expect(open).toHaveLength(count);
  }, PATIENCE);
}
