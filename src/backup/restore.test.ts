import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { filesUnder } from "../forget/raw-files.ts";
import { temporaryFolder, writeFiles } from "../testing/temporary-vault.ts";
import { snapshotOf } from "../testing/tree-snapshot.ts";
import { createVault, type LocalVault } from "../vault/vault.ts";
import { archiveOf, END_NAME } from "./archive.ts";
import { checkArchive, restoreArchive } from "./restore.ts";
import { padding, tarEnd, tarHead, type TarHead } from "./tar.ts";

const NOW = new Date("2026-03-14T09:00:00Z");
const AUTHOR = { actor: "test", call: "write", batch: null };

function vaultWith(files: Record<string, string>): LocalVault {
  const folder = temporaryFolder();
  const root = path.join(folder, "notes");
  mkdirSync(root);
  writeFiles(root, files);
  const vault = createVault({ root, state: path.join(folder, "state") });
  onTestFinished(() => vault.close());
  return vault;
}

function emptyPlace(): { root: string; state: string } {
  const folder = temporaryFolder();
  return { root: path.join(folder, "notes"), state: path.join(folder, "state") };
}

/** Files under some folders, by the hex of their names. */
function bytesUnder(folders: readonly string[]): Record<string, string> {
  const all = folders.flatMap((folder) => filesUnder(folder).files);
  return Object.fromEntries(
    all.map(({ inside, place }) => [inside.toString("hex"), readFileSync(place, "utf8")]),
  );
}

/** An archive, and something that happens after all of the vault was sent once. */
async function* beforeTheEnd(vault: LocalVault, work: () => void): AsyncGenerator<Buffer> {
  let isDone = false;
  for await (const chunk of archiveOf(vault, NOW)) {
    yield chunk;
    if (isDone || !chunk.includes("vault/link.md")) continue;
    isDone = true;
    work();
  }
}

const noProgress = (): void => {};

describe("a restored vault", () => {
  it("is the same: bytes, names, modes, times, links, hidden and empty folders", async () => {
    const vault = vaultWith({
      "a.md": "# A\r\n",
      ["été/b.md".normalize("NFD")]: "B",
      ".obsidian/app.json": "{}",
      [`${"long-name-".repeat(12)}/${"é".repeat(60)}.md`]: "far",
      "empty.md": "",
    });
    mkdirSync(path.join(vault.root, "nothing in it"));
    symlinkSync("a.md", path.join(vault.root, "link.md"));
    utimesSync(path.join(vault.root, "a.md"), 1_700_000_000.25, 1_700_000_000.25);
    await vault.change(AUTHOR, async ({ writer }) => writer.create("new.md", Buffer.from("new\n")));
    const before = snapshotOf(vault.root, { times: false });
    const place = emptyPlace();
    const { made } = await restoreArchive(archiveOf(vault, NOW), place, noProgress);
    expect(made).toBe(NOW.toISOString());
    expect(snapshotOf(place.root)).toEqual(before);
    for (const name of ["", "a.md", "nothing in it", ".obsidian", ".obsidian/app.json"]) {
      const [old, now] = [vault.root, place.root].map(
        (root) => statSync(path.join(root, name)).mtimeMs,
      );
      expect(now, name).toBeCloseTo(old ?? 0, 2);
    }
  });

  it("has names and links that are no UTF-8, and what was rescued and left over in the state folder", async () => {
    const vault = vaultWith({ "a.md": "a\n", "d/b.md": "b\n" });
    const raw = (folder: string, name: string): Buffer =>
      Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, "latin1")]);
    writeFileSync(raw(vault.root, "caf\u00e9.md"), "one\n");
    writeFileSync(raw(vault.root, "caf\u00e8.md"), "two\n");
    mkdirSync(raw(vault.root, "d/\u00e9t\u00e9"));
    writeFileSync(raw(vault.root, "d/\u00e9t\u00e9/c.md"), "three\n");
    symlinkSync(Buffer.from("caf\u00e9.md", "latin1"), path.join(vault.root, "link.md"));
    writeFiles(vault.state, {
      "rescued/2026-03-14 a.md": "late\n",
      "leftovers/.coffre-tmp-1/a.md": "left\n",
    });
    writeFileSync(raw(path.join(vault.state, "leftovers"), "\u00e9"), "raw\n");
    const place = emptyPlace();
    // Removed after it was sent.
    const archive = beforeTheEnd(vault, () => rmSync(raw(vault.root, "caf\u00e8.md")));
    await restoreArchive(archive, place, noProgress);
    for (const from of ["root", "state"] as const) {
      const [old, now] = [vault[from], place[from]].map((folder) =>
        bytesUnder(
          from === "root"
            ? [folder]
            : ["rescued", "leftovers"].map((name) => path.join(folder, name)),
        ),
      );
      expect(now).toEqual(old);
      expect(Object.keys(now ?? {})).toHaveLength(from === "root" ? 4 : 3);
    }
    expect(readlinkSync(path.join(place.root, "link.md"), "latin1")).toBe("caf\u00e9.md");
  });

  it("can undo what was done before the backup", async () => {
    const vault = vaultWith({ "a.md": "before\n" });
    const { id } = await vault.change(AUTHOR, async ({ writer }) => writer.remove("a.md"));
    const place = emptyPlace();
    await restoreArchive(archiveOf(vault, NOW), place, noProgress);
    const restored = createVault(place);
    onTestFinished(() => restored.close());
    await restored.undo(id ?? "", { actor: "test", force: false });
    expect(snapshotOf(place.root)["a.md"]).toContain("7 bytes");
  });

  it("has what was changed, added and removed while the backup was being made", async () => {
    const vault = vaultWith({ "a.md": "a\n", "b.md": "b\n", "c.md": "c\n", "z.md": "z\n" });
    const place = emptyPlace();
    const archive = archiveOf(vault, NOW);
    let at = 0;
    const busy = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of archive) {
        yield chunk;
        at += 1;
        // After `a.md` and `b.md` were sent, before `z.md` is.
        if (at !== 8) continue;
        writeFiles(vault.root, { "a.md": "a, changed\n", "d/new.md": "new\n" });
        await vault.change(AUTHOR, async ({ writer }) => writer.remove("b.md"));
      }
    };
    await restoreArchive(busy(), place, noProgress);
    expect(snapshotOf(place.root)).toEqual(snapshotOf(vault.root));
    expect(existsSync(path.join(place.root, "b.md"))).toBe(false);
  });

  it("is never put into a folder that is not empty", async () => {
    const vault = vaultWith({ "a.md": "a\n" });
    const place = emptyPlace();
    mkdirSync(place.root);
    writeFileSync(path.join(place.root, "mine.md"), "mine\n");
    await expect(restoreArchive(archiveOf(vault, NOW), place, noProgress)).rejects.toMatchObject({
      code: "already_exists",
    });
    expect(readdirSync(place.root)).toEqual(["mine.md"]);
  });
});

describe("an archive that somebody else made", () => {
  const file = (name: string, more: Partial<TarHead> = {}): Buffer => {
    const head = { name, kind: "file", size: 4, mode: 0o644, modified: 0, ...more } as const;
    return Buffer.concat([
      tarHead(head),
      Buffer.from("evil").subarray(0, head.size),
      padding(head.size),
    ]);
  };
  const end = (gone: string[] = []): Buffer[] => {
    const said = Buffer.from(JSON.stringify({ version: 1, made: "x", gone }));
    const head = tarHead({ name: END_NAME, kind: "file", size: said.length, mode: 0, modified: 0 });
    return [head, said, padding(said.length), tarEnd()];
  };
  async function* archived(...parts: Buffer[]): AsyncGenerator<Buffer> {
    yield* parts;
  }

  it.each([
    ["vault/../../evil.md"],
    ["vault//evil.md"],
    ["../evil.md"],
    ["/evil.md"],
    ["state/token"],
    ["state/../evil"],
    ["evil.md"],
  ])("with %s is refused, and nothing is left of it", async (name) => {
    const place = emptyPlace();
    await expect(
      restoreArchive(archived(file("vault/a.md"), file(name), ...end()), place, noProgress),
    ).rejects.toMatchObject({ code: "invalid_argument" });
    expect([existsSync(place.root), existsSync(place.state)]).toEqual([false, false]);
  });

  it("cannot write through a link", async () => {
    const place = emptyPlace();
    const outside = temporaryFolder();
    const link = file("vault/link", { kind: "link", size: 0, target: outside });
    await restoreArchive(
      archived(link, file("vault/link/a.md"), ...end()),
      place,
      noProgress,
    ).catch(() => {});
    expect(readdirSync(outside)).toEqual([]);
  });

  it("cannot remove what is outside the vault", async () => {
    const place = emptyPlace();
    const outside = path.join(path.dirname(place.root), "kept.md");
    writeFileSync(outside, "kept");
    await expect(
      restoreArchive(archived(file("vault/a.md"), ...end(["../kept.md"])), place, noProgress),
    ).rejects.toMatchObject({ code: "invalid_argument" });
    expect(existsSync(outside)).toBe(true);
  });

  it("without its end is not complete", async () => {
    await expect(checkArchive(archived(file("vault/a.md"), tarEnd()))).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });
});
