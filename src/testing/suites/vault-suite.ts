import { describe, expect, it } from "vitest";

import type { Change } from "../../vault/history/history-types.ts";
import type { JobVault, Vault } from "../../vault/vault.ts";
import { codeOf, refusalOf } from "../expected-error.ts";
import { create, makeFolder, move, remove, splice, undo, update } from "./changes.ts";

async function textOf(vault: Vault, path: string): Promise<string> {
  return (await vault.readBytes(path, 1_000_000)).bytes.toString();
}

/**
 * What any vault must do, wherever its files are.
 * @param open a vault with these files, closed when the test ends
 */
export function describeVault(
  open: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<Vault>,
): void {
  const namesOf = async (vault: Vault): Promise<string[]> =>
    (await Array.fromAsync(vault.walk(""))).map(({ path }) => path);

  describe("looking", () => {
    it("tells files, folders and missing paths apart, with size, version and time", async () => {
      const vault = await open({ "d/a.md": "été\n" });
      const item = await vault.find("d/a.md");
      expect(item).toMatchObject({ kind: "file", path: "d/a.md", size: 6 });
      expect(item.kind === "file" && item.modified).toBeGreaterThan(Date.parse("2020-01-01"));
      expect(await vault.get("d")).toMatchObject({ kind: "folder", path: "d" });
      expect(await vault.find("d/b.md")).toEqual({ kind: "missing" });
    });

    it("names paths near a missing one", async () => {
      const vault = await open({ "projects/roof/state.md": "a" });
      const refusal = await refusalOf(() => vault.get("projects/rooof/state.md"));
      expect(refusal?.code).toBe("not_found");
      expect(refusal?.message).toContain("Did you mean vault/projects/roof/state.md");
    });

    it("lists folders first, each in name order, and walks in that order", async () => {
      const vault = await open({ "b.md": "", "a.md": "", "z/c.md": "", "y/x/d.md": "" });
      const listed = await vault.list("");
      expect(listed.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
        "folder y",
        "folder z",
        "file a.md",
        "file b.md",
      ]);
      expect(await namesOf(vault)).toEqual(["y/x/d.md", "z/c.md", "a.md", "b.md"]);
    });

    it("finds a name in either Unicode form", async () => {
      const vault = await open({ "\u00e9t\u00e9.md": "chaud" });
      expect((await vault.get("\u00e9t\u00e9.md")).path).toBe("\u00e9t\u00e9.md");
    });

    it("reads lines, the first and the last of them, without their ends", async () => {
      const vault = await open({ "a.md": "\ufeffun\r\ndeux\r\n\r\nquatre" });
      const file = await vault.openText("a.md");
      expect(file.totalLines).toBe(4);
      expect(file.range(2, 4).lines).toEqual(["deux", "", "quatre"]);
      expect(file.head(8)).toMatchObject({ first: 1, lines: ["un", "deux"] });
      expect(file.tail(8)).toMatchObject({ first: 3, lines: ["", "quatre"] });
    });

    it("reads any line of a large file", async () => {
      const vault = await open({ "a.md": "line of a long file\n".repeat(100_000) });
      const file = await vault.openText("a.md");
      expect(file.totalLines).toBe(100_000);
      expect(file.range(99_999, 100_000).lines).toHaveLength(2);
      expect(file.tail(100).lines).toHaveLength(5);
    });

    it("opens no folder and nothing but text", async () => {
      const vault = await open({ "d/a.bin": Uint8Array.of(0, 1, 255) });
      expect(await codeOf(() => vault.openText("d"))).toBe("not_a_file");
      expect(await codeOf(() => vault.openText("d/a.bin"))).toBe("not_text");
      expect(await codeOf(() => vault.openText("d/b.md"))).toBe("not_found");
      expect(await codeOf(() => vault.list("d/a.bin"))).toBe("not_a_folder");
    });

    it("reads no more bytes than asked for, and tells the size", async () => {
      const vault = await open({ "a.bin": Uint8Array.of(0, 1, 255) });
      const { bytes, size } = await vault.readBytes("a.bin", 2);
      expect([...bytes]).toEqual([0, 1]);
      expect(size).toBe(3);
    });

    it("sums tokens and files of a folder", async () => {
      const vault = await open({ "d/a.md": "x".repeat(40), "d/e/b.md": "y".repeat(80) });
      expect(await vault.shape("d")).toMatchObject({ kind: "folder", tokens: 30, files: 2 });
      expect(await vault.shape("d/a.md")).toMatchObject({ kind: "file", facts: { tokens: 10 } });
    });
  });

  describe("changing", () => {
    it("creates, updates, moves and removes, and undoes each", async () => {
      const vault = await open({});
      const made = await create(vault, "d/a.md", "one\n");
      const updated = await update(vault, "d/a.md", "two\n");
      const moved = await move(vault, "d/a.md", "e/b.md");
      const removed = await remove(vault, "e");
      expect(await namesOf(vault)).toEqual([]);
      await undo(vault, removed);
      expect(await textOf(vault, "e/b.md")).toBe("two\n");
      await undo(vault, moved);
      expect(await namesOf(vault)).toEqual(["d/a.md"]);
      await undo(vault, updated);
      expect(await textOf(vault, "d/a.md")).toBe("one\n");
      await undo(vault, made);
      expect((await vault.find("d")).kind).toBe("missing");
    });

    it("gives a changed file another version", async () => {
      const vault = await open({ "a.md": "one\n" });
      const before = await vault.get("a.md");
      await update(vault, "a.md", "two\n");
      expect((await vault.get("a.md")).version).not.toBe(before.version);
    });

    it("replaces a part of a large file, and undoes it", async () => {
      const text = "line of a long file\n".repeat(60_000);
      const vault = await open({ "a.md": text });
      await vault.openText("a.md");
      const part = { at: 20, removed: 20, inserted: "two\nlines\n", headBytes: 0 };
      const id = await splice(vault, "a.md", part);
      expect((await vault.openText("a.md")).range(1, 4).lines.slice(1, 3)).toEqual([
        "two",
        "lines",
      ]);
      expect((await vault.openText("a.md")).totalLines).toBe(60_001);
      await undo(vault, id);
      expect((await vault.readBytes("a.md", 2_000_000)).bytes.equals(Buffer.from(text))).toBe(true);
    });

    it("never replaces what exists", async () => {
      const vault = await open({ "a.md": "a", "b.md": "b", "d/c.md": "c" });
      expect(await codeOf(() => create(vault, "a.md", "other"))).toBe("already_exists");
      expect(await codeOf(() => move(vault, "a.md", "b.md"))).toBe("already_exists");
      expect(await codeOf(() => move(vault, "d", "d/e"))).toBe("invalid_argument");
      expect(await textOf(vault, "b.md")).toBe("b");
    });

    it("refuses to update a version that is no longer the present one", async () => {
      const vault = await open({ "a.md": "one\n" });
      const stale = vault.change({ actor: "test", call: "edit", batch: null }, async (change) => {
        const seen = await change.readWhole("a.md");
        await change.writer.update(seen, Buffer.from("two\n"));
        await change.writer.update(seen, Buffer.from("three\n"));
      });
      expect(await codeOf(() => stale)).toBe("conflict");
      expect(await textOf(vault, "a.md")).toBe("two\n");
    });

    it("makes nothing that its guard refuses", async () => {
      const vault = await open({ "a.md": "one\n" });
      const guard = (): void => {
        throw new Error("not allowed");
      };
      const author = { actor: "test", call: "write", batch: null, guard };
      const writing = vault.change(author, async ({ writer }) =>
        writer.create("b.md", Buffer.from("b")),
      );
      await expect(writing).rejects.toThrow("not allowed");
      expect(await namesOf(vault)).toEqual(["a.md"]);
    });

    it("has no entry for work that changed nothing, or only made a folder", async () => {
      const vault = await open({});
      const author = { actor: "test", call: "look", batch: null };
      expect((await vault.change(author, async () => "value")).id).toBeNull();
      await makeFolder(vault, "d/e");
      expect((await vault.get("d/e")).kind).toBe("folder");
      expect(await vault.historySize()).toMatchObject({ entries: 0 });
    });

    it("reports every change to its listeners, until they stop", async () => {
      const vault = await open({});
      const heard: Change[] = [];
      const stop = vault.onChange((change) => void heard.push(change));
      await create(vault, "a.md", "a");
      stop();
      await create(vault, "b.md", "b");
      expect(heard).toMatchObject([{ kind: "create", path: "a.md" }]);
    });

    it("runs one change at a time", async () => {
      const vault = await open({ "a.md": "" });
      const line = async (text: string): Promise<unknown> =>
        vault.change({ actor: "test", call: "append", batch: null }, async (change) => {
          const seen = await change.readWhole("a.md");
          await change.writer.update(seen, Buffer.from(`${seen.text}${text}\n`));
        });
      await Promise.all(["one", "two", "three"].map(line));
      expect(await textOf(vault, "a.md")).toBe("one\ntwo\nthree\n");
    });
  });

  describe("history", () => {
    it("logs who changed what, with the bytes before and after", async () => {
      const vault = await open({ "a.md": "one\n" });
      const id = await update(vault, "a.md", "two\n", "run");
      const [entry] = await vault.log({ path: "a.md", limit: 10 });
      expect(entry).toMatchObject({ id, actor: "test", call: "update", batch: "run" });
      const [change] = entry?.changes ?? [];
      const kept = change?.kind === "modify" && "wholeBefore" in change.kept ? change.kept : null;
      expect(String(await vault.kept(kept?.wholeBefore ?? ""))).toBe("one\n");
      expect(String(await vault.kept(kept?.wholeAfter ?? ""))).toBe("two\n");
    });

    it("finds entries by the start of an id or by their batch", async () => {
      const vault = await open({});
      const id = await create(vault, "a.md", "a", "run");
      await create(vault, "b.md", "b", "run");
      expect(await vault.entries("run")).toHaveLength(2);
      expect((await vault.entries(id)).map((entry) => entry.id)).toEqual([id]);
      expect(await codeOf(() => vault.entries("none"))).toBe("not_found");
      expect(await codeOf(() => vault.entries(id.slice(0, 3)))).toBe("ambiguous");
    });

    it("undoes a batch as a whole, or nothing of it", async () => {
      const vault = await open({ "a.md": "one\n" });
      await update(vault, "a.md", "two\n", "run");
      await create(vault, "b.md", "b", "run");
      await update(vault, "a.md", "three\n");
      expect(await codeOf(() => undo(vault, "run"))).toBe("conflict");
      expect(await namesOf(vault)).toEqual(["a.md", "b.md"]);
      await undo(vault, "run", { force: true });
      expect(await textOf(vault, "a.md")).toBe("one\n");
      expect(await namesOf(vault)).toEqual(["a.md"]);
    });
  });
}

/** What any vault must do, whoever keeps its frontmatter and its listing up to date. */
export function describeMaintenance(
  open: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<Vault>,
): void {
  describe("maintenance", () => {
    it("scans every file with its size and signature", async () => {
      const vault = await open({ "d/a.md": "abc" });
      const { version, modified, touched } = await vault.get("d/a.md");
      expect(await vault.scan()).toEqual([
        { kind: "folder", path: "d" },
        {
          kind: "file",
          path: "d/a.md",
          signature: version,
          touched,
          size: 3,
          modified,
          isLink: false,
        },
      ]);
    });

    it("stamps a note without a history entry, and a second time changes nothing", async () => {
      const vault = await open({ "a.md": "text\n" });
      const updated = "2026-03-01T09:00:00";
      const first = await vault.stamp("a.md", () => ({ created: updated, updated }));
      expect(await textOf(vault, "a.md")).toContain(`updated: ${updated}`);
      expect(await vault.shape("a.md")).toMatchObject({ facts: { changed: updated } });
      const second = await vault.stamp("a.md", () => ({ created: updated, updated }));
      expect(second).toMatchObject({
        signature: first.signature,
        hash: first.hash,
        hasOwnTime: false,
      });
      expect(await vault.historySize()).toMatchObject({ entries: 0 });
    });

    it("gives the listing to readers when it is not there", async () => {
      const vault = await open({ "a.md": "A\n" });
      expect(await vault.isGenerated("tree.md")).toBe(true);
      expect(await textOf(vault, "tree.md")).toContain("a.md");
      expect((await vault.get("tree.md")).kind).toBe("file");
      expect((await vault.find("tree.md")).kind).toBe("missing");
    });
  });
}

/** What any vault must do for the background job. */
export function describeJobVault(
  open: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<JobVault>,
): void {
  describeMaintenance(open);

  describe("for the background job", () => {
    it("writes tree.md only when its text differs", async () => {
      const vault = await open({});
      const listing = (tokens: number): string => `\`\`\`\nvault/  [${tokens} · —]\n\`\`\`\n`;
      expect(await vault.writeTree(() => listing(1))).toBe(true);
      expect(await vault.writeTree(() => listing(1))).toBe(false);
      expect(await vault.writeTree(() => listing(2))).toBe(true);
      expect(await textOf(vault, "tree.md")).toBe(listing(2));
      expect(await vault.isGenerated("tree.md")).toBe(true);
    });

    it("never writes a tree.md of the person's", async () => {
      const vault = await open({ "tree.md": "# Trees\n" });
      expect(await vault.isGenerated("tree.md")).toBe(false);
      expect(await vault.writeTree(() => "```\nvault/  [1 · —]\n```\n")).toBe(false);
      expect(await textOf(vault, "tree.md")).toBe("# Trees\n");
    });

    it("keeps totals right after its own changes", async () => {
      const vault = await open({ "d/a.md": "x".repeat(40) });
      vault.totals.scan();
      await create(vault, "d/b.md", "y".repeat(20));
      expect(vault.totals.get("d")).toMatchObject({ tokens: 15, files: 2 });
      await remove(vault, "d/a.md");
      expect(vault.totals.get("")).toMatchObject({ tokens: 5, files: 1 });
    });
  });
}
