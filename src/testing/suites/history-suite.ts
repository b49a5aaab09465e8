import { describe, expect, it, onTestFinished } from "vitest";

import { keptBytes, type History, type KeepBytes } from "../../vault/history/history.ts";
import type { Change } from "../../vault/history/history-types.ts";
import { codeOf } from "../expected-error.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = new Date("2026-03-01T09:00:00Z");
const VERSION = { signature: "s", hash: "h" };
const EVERYTHING = { path: null, limit: 100 };

function created(path: string, text: string): (keep: KeepBytes) => Change {
  return (keep) => {
    const after = keep([Buffer.from(text)]);
    return { kind: "create", path, after, version: VERSION, madeFolders: [] };
  };
}

function moved(path: string, to: string): () => Change {
  return () => ({ kind: "move", path, onDisk: path, to, madeFolders: [] });
}

/**
 * What any history must do.
 * @param place an empty place where a history is kept
 * @param open a history at a place, where another one may have been before
 */
export function describeHistory(
  place: () => string | Promise<string>,
  open: (place: string) => History | Promise<History>,
): void {
  async function historyAt(at: string | Promise<string>): Promise<History> {
    const history = await open(await at);
    onTestFinished(() => history.close());
    return history;
  }

  /** Records a change in an entry of its own. */
  async function add(
    history: History,
    id: string,
    describeChange: (keep: KeepBytes) => Change,
    {
      batch = null as string | null,
      undoes = null as string | null,
      day = 0,
      call = "write",
      isPinned = false,
    } = {},
  ): Promise<Change> {
    const undone = undoes === null ? {} : { undoes };
    const author = { actor: "test", call, batch, isPinned, ...undone };
    const at = new Date(START.getTime() + day * DAY);
    return history.record({ id, at, author }, describeChange);
  }

  const idsOf = async (history: History, path: string | null = null): Promise<string[]> =>
    (await history.entries({ ...EVERYTHING, path })).map(({ id }) => id);

  describe("recording", () => {
    it("returns every fact of an entry, its changes in order, also after it was opened again", async () => {
      const at = await place();
      const history = await open(at);
      const first = await add(history, "a1", created("a.md", "one"), { batch: "run" });
      const second = await add(history, "a1", moved("a.md", "b.md"), { batch: "run" });
      history.close();
      expect(await (await historyAt(at)).entry("a1")).toEqual({
        id: "a1",
        at: START,
        actor: "test",
        call: "write",
        batch: "run",
        undoes: null,
        undoneBy: null,
        changes: [first, second],
      });
    });

    it("records nothing when the change cannot be described", async () => {
      const history = await historyAt(place());
      const failing = add(history, "a1", (keep) => {
        keep([Buffer.from("kept for nothing")]);
        throw new Error("cannot be described");
      });
      await expect(failing).rejects.toThrow("cannot be described");
      expect(await history.size()).toEqual({ entries: 0, bytes: 0 });
    });

    it("retracts the last changes of an entry, and the entry with its first", async () => {
      const history = await historyAt(place());
      const first = await add(history, "a1", created("a.md", "one"));
      await add(history, "a1", moved("a.md", "b.md"));
      await add(history, "a1", moved("b.md", "c.md"));
      await history.retract("a1", 2);
      expect((await history.entry("a1"))?.changes).toEqual([first]);
      await history.retract("a1", 1);
      expect(await history.entry("a1")).toBeNull();
    });

    it("records several changes at once, or none, and retracts those of some paths", async () => {
      const history = await historyAt(place());
      const author = { actor: "test", call: "undo", batch: null };
      const entry = { id: "a1", at: START, author };
      const [first, ...others] = await history.recordAll(entry, (keep) => [
        created("a.md", "one")(keep),
        created("b.md", "two")(keep),
        created("c.md", "three")(keep),
      ]);
      await history.retractPaths("a1", ["b.md", "c.md"]);
      expect(others).toHaveLength(2);
      expect((await history.entry("a1"))?.changes).toEqual([first]);
      await history.retractPaths("a1", ["a.md"]);
      expect(await history.entry("a1")).toBeNull();
      const failing = history.recordAll(entry, (keep) => {
        keep([Buffer.from("kept for nothing, again")]);
        throw new Error("cannot be described");
      });
      await expect(failing).rejects.toThrow("cannot be described");
      expect(await history.entry("a1")).toBeNull();
    });
  });

  describe("kept bytes", () => {
    it.each([
      ["none", [Buffer.alloc(0)]],
      ["one part", [Buffer.from([0, 1, 254, 255])]],
      ["several parts", [Buffer.alloc(70_000, "ab"), Buffer.alloc(70_000, "cd")]],
      ["more than fits into memory at once", [Buffer.alloc(9_000_000, "long ")]],
    ])("are what they were: %s", async (_, parts) => {
      const history = await historyAt(place());
      const change = await add(history, "a1", (keep) => {
        const after = keep(parts);
        return { kind: "create", path: "a.md", after, version: VERSION, madeFolders: [] };
      });
      const hash = change.kind === "create" ? (change.after ?? "") : "";
      expect((await keptBytes(history, hash)).equals(Buffer.concat(parts))).toBe(true);
    });

    it("are kept once, however often they are used", async () => {
      const history = await historyAt(place());
      await add(history, "a1", created("a.md", "the same text"));
      const { bytes } = await history.size();
      await add(history, "a2", created("b.md", "the same text"));
      expect(await history.size()).toEqual({ entries: 2, bytes });
    });

    it("that were never kept are not found", async () => {
      const history = await historyAt(place());
      expect(await codeOf(() => keptBytes(history, "0".repeat(64)))).toBe("not_found");
    });
  });

  describe("finding", () => {
    it("lists the newest first, as many as are asked for", async () => {
      const history = await historyAt(place());
      for (const id of ["a1", "a3", "a2"]) await add(history, id, created(`${id}.md`, id));
      expect(await idsOf(history)).toEqual(["a2", "a3", "a1"]);
      expect(await history.entries({ path: null, limit: 1 })).toHaveLength(1);
    });

    it("finds what touched a file, a folder or what a folder was moved from or to", async () => {
      const history = await historyAt(place());
      await add(history, "file", created("d/a.md", "a"));
      await add(history, "folder", moved("d", "e"));
      await add(history, "other", created("da.md", "other"));
      expect(await idsOf(history, "d")).toEqual(["folder", "file"]);
      expect(await idsOf(history, "d/a.md")).toEqual(["folder", "file"]);
      expect(await idsOf(history, "e/a.md")).toEqual(["folder"]);
      expect(await idsOf(history, "f")).toEqual([]);
    });

    it("finds ids by their batch, else by their start, oldest first", async () => {
      const history = await historyAt(place());
      await add(history, "abc1", created("a.md", "1"), { batch: "run" });
      await add(history, "abd2", created("b.md", "2"), { batch: "run" });
      await add(history, "abd3", created("c.md", "3"));
      expect(await history.idsFor("run")).toEqual(["abc1", "abd2"]);
      expect(await history.idsFor("abd")).toEqual(["abd2", "abd3"]);
      expect(await history.idsFor("%")).toEqual([]);
    });

    it("says by which entry another was undone, until that is undone too", async () => {
      const history = await historyAt(place());
      await add(history, "a1", created("a.md", "1"), { batch: "run" });
      await add(history, "u1", moved("a.md", "b.md"), { undoes: "run" });
      expect((await history.entry("a1"))?.undoneBy).toBe("u1");
      await add(history, "u2", moved("b.md", "a.md"), { undoes: "u1" });
      expect((await history.entry("a1"))?.undoneBy).toBeNull();
      expect((await history.entry("u1"))?.undoneBy).toBe("u2");
    });
  });

  describe("where a file comes from", () => {
    const modified =
      (path: string, hash: string) =>
      (keep: KeepBytes): Change => {
        const bytes = keep([Buffer.from(hash)]);
        const kept = { wholeBefore: bytes, wholeAfter: bytes };
        return { kind: "modify", path, kept, version: { signature: "s", hash } };
      };

    it("is a creation, when nothing else changed it since", async () => {
      const history = await historyAt(place());
      await add(history, "a1", created("a.md", "x"));
      expect(await history.origin("a.md", "h")).toBe("made");
      expect(await history.origin("a.md", "another")).toBeNull();
      expect(await history.origin("b.md", "h")).toBeNull();
      await add(history, "a2", modified("a.md", "h2"));
      expect(await history.origin("a.md", "h2")).toBe("made");
    });

    it("is not a creation for a file that was there before, moved or was replaced", async () => {
      const history = await historyAt(place());
      await add(history, "a1", modified("a.md", "h"));
      expect(await history.origin("a.md", "h")).toBeNull();
      await add(history, "a2", created("b.md", "x"));
      await add(history, "a3", moved("b.md", "c.md"));
      expect(await history.origin("b.md", "h")).toBeNull();
    });

    it("tells a stamp that was undone", async () => {
      const history = await historyAt(place());
      await add(history, "a1", modified("a.md", "h"), { call: "frontmatter" });
      expect(await history.origin("a.md", "h")).toBeNull();
      await add(history, "a2", modified("a.md", "h"), { call: "undo", undoes: "a1" });
      expect(await history.origin("a.md", "h")).toBe("stamp undone");
      expect(await history.origin("a.md", "another")).toBe("stamp undone");
      await add(history, "a3", modified("a.md", "h"), { call: "undo", undoes: "a2" });
      expect(await history.origin("a.md", "h")).toBeNull();
      await add(history, "a4", modified("a.md", "h"), { call: "adopt" });
      expect(await history.origin("a.md", "h")).toBeNull();
    });
  });

  describe("erasing", () => {
    it("counts before it removes, and removes what holds a text", async () => {
      const history = await historyAt(place());
      await add(history, "one", created("a.md", "the secret word"));
      await add(history, "two", created("b.md", "nothing of it"));
      const texts = [Buffer.from("secret")];
      expect(await history.erase({ texts }, true)).toEqual({ changes: 1, versions: 1 });
      expect(await idsOf(history)).toEqual(["two", "one"]);
      expect(await history.erase({ texts }, false)).toEqual({ changes: 1, versions: 1 });
      expect(await idsOf(history)).toEqual(["two"]);
      expect(await history.erase({ texts }, true)).toEqual({ changes: 0, versions: 0 });
    });

    it("removes a file under the names it had, but not another file of such a name", async () => {
      const history = await historyAt(place());
      await add(history, "one", created("old/a.md", "the first"));
      await add(history, "two", moved("old", "new"));
      await add(history, "three", created("old/a.md", "another file"));
      await history.erase({ path: "new/a.md" }, false);
      expect(await idsOf(history)).toEqual(["three", "two"]);
      expect(await history.size()).toMatchObject({ entries: 2 });
    });
  });

  describe("pruning", () => {
    const after = (days: number): Date => new Date(START.getTime() + days * DAY);
    const ALL_BYTES = 1_000_000_000;

    it("forgets what is too old with its bytes, but never the newest entry", async () => {
      const history = await historyAt(place());
      const old = await add(history, "a1", created("a.md", "old"));
      await add(history, "a2", created("b.md", "newer"), { day: 5 });
      await history.prune(after(11), { days: 10, bytes: ALL_BYTES });
      expect(await idsOf(history)).toEqual(["a2"]);
      const hash = old.kind === "create" ? (old.after ?? "") : "";
      expect(await codeOf(() => keptBytes(history, hash))).toBe("not_found");
      await history.prune(after(100), { days: 10, bytes: ALL_BYTES });
      expect(await idsOf(history)).toEqual(["a2"]);
    });

    it("forgets the oldest when the bytes are too many", async () => {
      const history = await historyAt(place());
      for (let each = 0; each < 20; each += 1)
        await add(history, `a${each}`, created("a.md", `${each} ${Math.random()}`.repeat(50)));
      const { bytes } = await history.size();
      await history.prune(after(0), { days: 10, bytes: bytes / 2 });
      const left = await idsOf(history);
      expect((await history.size()).bytes).toBeLessThanOrEqual(bytes / 2);
      expect(left[0]).toBe("a19");
      expect(left).not.toContain("a0");
    });

    it("keeps pinned entries, whatever their age and size, until they are let go", async () => {
      const history = await historyAt(place());
      await add(history, "a1", created("a.md", `${Math.random()}`.repeat(500)), { isPinned: true });
      await add(history, "a2", created("b.md", "old"));
      await add(history, "a3", created("c.md", "newer"), { day: 5 });
      await history.prune(after(11), { days: 10, bytes: 100 });
      expect(await idsOf(history)).toEqual(["a3", "a1"]);
      expect(await history.unpin()).toBe(1);
      await history.prune(after(12.5), { days: 10, bytes: 100 });
      expect(await idsOf(history)).toEqual(["a3"]);
    });

    it("happens at most once a day", async () => {
      const history = await historyAt(place());
      await history.prune(after(20), { days: 10, bytes: ALL_BYTES });
      await add(history, "a1", created("a.md", "old"));
      await add(history, "a2", created("b.md", "old too"));
      await history.prune(after(20.5), { days: 10, bytes: ALL_BYTES });
      expect(await idsOf(history)).toEqual(["a2", "a1"]);
      await history.prune(after(21), { days: 10, bytes: ALL_BYTES });
      expect(await idsOf(history)).toEqual(["a2"]);
    });

    it("loses nothing when the clock jumps forward and back", async () => {
      const history = await historyAt(place());
      const keep = { days: 90, bytes: ALL_BYTES };
      const ids: string[] = [];
      for (let day = 0; day < 90; day += 5) {
        ids.unshift(`a${day}`);
        await add(history, `a${day}`, created(`${day}.md`, String(day)), { day });
        await history.prune(after(day), keep);
      }
      for (const day of [190, 191, 89]) {
        await history.prune(after(day), keep);
        ids.unshift(`b${day}`);
        await add(history, `b${day}`, created(`b${day}.md`, String(day)), { day });
      }
      await history.prune(after(89.5), keep);
      expect(await idsOf(history)).toEqual(ids);
    });

    it("forgets by the time that really passed, also after a date in the future was recorded", async () => {
      const history = await historyAt(place());
      const keep = { days: 10, bytes: ALL_BYTES };
      await add(history, "a1", created("a.md", "old"));
      await add(history, "a2", created("b.md", "newer"), { day: 5 });
      await history.prune(after(400), keep);
      expect(await idsOf(history)).toEqual(["a2", "a1"]);
      await history.prune(after(11), keep);
      expect(await idsOf(history)).toEqual(["a2"]);
    });

    it("counts a vault that rested for long as used on the days it was used", async () => {
      const history = await historyAt(place());
      const keep = { days: 10, bytes: ALL_BYTES };
      await add(history, "a1", created("a.md", "before"));
      for (const day of [200, 206, 212]) {
        await history.prune(after(day), keep);
        await add(history, `b${day}`, created(`b${day}.md`, String(day)), { day });
      }
      expect(await idsOf(history)).toEqual(["b212", "b206"]);
    });
  });
}
