import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { stampInWrite } from "../../src/jobs/stamping/stamp-in-write.ts";
import { codeOf, refusalOf } from "../../src/testing/expected-error.ts";
import { create, move, remove, undo, update } from "../../src/testing/suites/changes.ts";
import { temporaryVault } from "../../src/testing/temporary-vault.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import type { Vault, VaultReader } from "../../src/vault/vault.ts";
import { asOwner, emptyDatabase, teamDatabase } from "./team-database.ts";
import { newTeamVault } from "./team-vault.ts";

const AUTHOR = { actor: "test", call: "write", batch: null };

async function textsOf(vault: VaultReader): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { path } of vault.walk(""))
    texts[path] = (await vault.readBytes(path, 10_000_000)).bytes.toString();
  return texts;
}

/** Two processes would have a pool each, and so do these. */
async function twoReplicas(url: string): Promise<[PostgresVault, PostgresVault]> {
  const open = async (): Promise<PostgresVault> => {
    const database = await teamDatabase({ url });
    return new PostgresVault({ database, row: await makeVaultRow(database, "shared") });
  };
  return [await open(), await open()];
}

describe("two replicas", () => {
  it("lose no line when both append to one file", async () => {
    const replicas = await twoReplicas(await emptyDatabase());
    await create(replicas[0], "a.md", "");
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    await Promise.all(
      lines.map(async (line, at) =>
        (replicas[at % 2] ?? replicas[0]).change(AUTHOR, async ({ writer, readWhole }) => {
          const seen = await readWhole("a.md");
          await writer.update(seen, Buffer.from(`${seen.text}${line}\n`));
        }),
      ),
    );
    const text = (await textsOf(replicas[1]))["a.md"] ?? "";
    expect(text.trimEnd().split("\n").toSorted()).toEqual(lines.toSorted());
    expect(await replicas[1].log({ path: "a.md", limit: 100 })).toHaveLength(41);
  });

  it("see each other's changes, and refuse what was worked out from an old version", async () => {
    const [one, other] = await twoReplicas(await emptyDatabase());
    await create(one, "a.md", "one\n");
    const read = await other.openText("a.md");
    await update(one, "a.md", "two\n");
    expect((await other.openText("a.md")).version.hash).not.toBe(read.version.hash);
    const stale = other.change(AUTHOR, async ({ writer, readWhole }) => {
      const seen = { ...(await readWhole("a.md")), version: read.version };
      await writer.update(seen, Buffer.from("three\n"));
    });
    expect(await codeOf(async () => stale)).toBe("conflict");
    expect(await textsOf(one)).toEqual({ "a.md": "two\n" });
  });

  it("keep nothing of a change whose connection dies, and the other goes on", async () => {
    const url = await emptyDatabase();
    const [one, other] = await twoReplicas(url);
    await create(one, "a.md", "one\n");
    const dying = refusalOf(async () =>
      one.change(AUTHOR, async ({ writer }) => {
        await writer.create("b.md", Buffer.from("b"));
        await asOwner(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()",
          url,
        );
        await writer.create("c.md", Buffer.from("c"));
      }),
    );
    expect((await dying)?.code).toBe("unavailable");
    await create(other, "d.md", "d");
    expect(Object.keys(await textsOf(other))).toEqual(["a.md", "d.md"]);
    expect(await other.log({ path: null, limit: 10 })).toHaveLength(2);
  });
});

describe("a change", () => {
  it("keeps what it did before it failed, as on a disk, with its record", async () => {
    for (const vault of [temporaryVault({}), await newTeamVault({})]) {
      const failing = vault.change(AUTHOR, async ({ writer }) => {
        await writer.create("a.md", Buffer.from("a"));
        await writer.create("a.md/b.md", Buffer.from("b"));
      });
      expect(await codeOf(async () => failing)).toBe("not_a_folder");
      expect(await textsOf(vault)).toEqual({ "a.md": "a" });
      expect(await vault.log({ path: null, limit: 10 })).toHaveLength(1);
    }
  });

  it("reads what it has written, through the vault too", async () => {
    const vault: Vault = await newTeamVault({});
    await vault.change(AUTHOR, async ({ writer }) => {
      await writer.create("d/a.md", Buffer.from("one"));
      expect(await textsOf(vault)).toEqual({ "d/a.md": "one" });
    });
  });

  it("and all that follows it are one transaction", async () => {
    const touched: string[][] = [];
    const vault = await newTeamVault(
      { "d/a.md": "a", "d/b.md": "b" },
      {
        beforeCommit: async (paths) => {
          touched.push([...paths].toSorted());
          if (paths.includes("refused.md")) throw new Error("the index fails");
        },
      },
    );
    await move(vault, "d", "e");
    await remove(vault, "e/a.md");
    expect(touched).toEqual([["d/a.md", "d/b.md", "e/a.md", "e/b.md"], ["e/a.md"]]);
    await expect(create(vault, "refused.md", "x")).rejects.toThrow("the index fails");
    expect(Object.keys(await textsOf(vault))).toEqual(["e/b.md"]);
    expect(await vault.log({ path: null, limit: 10 })).toHaveLength(2);
  });

  it("is refused when a file or the vault would be too large", async () => {
    const vault = await newTeamVault({}, { limits: { file: 100, vault: 150 } });
    await create(vault, "a.md", "x".repeat(100));
    expect(await codeOf(async () => create(vault, "b.md", "x".repeat(101)))).toBe("too_large");
    expect(await codeOf(async () => create(vault, "b.md", "x".repeat(51)))).toBe("too_large");
    const removed = await remove(vault, "a.md");
    await create(vault, "b.md", "x".repeat(90));
    expect(await codeOf(async () => undo(vault, removed))).toBe("too_large");
    expect(Object.keys(await textsOf(vault))).toEqual(["b.md"]);
  });
});

describe("names", () => {
  it("are ordered by their bytes, told apart by case, and one in both Unicode forms", async () => {
    const vault = await newTeamVault({
      "b.md": "",
      "B.md": "",
      "é.md": "",
      "z.md": "",
      "a/x.md": "",
    });
    const names = (await vault.list("")).map(({ name }) => name);
    expect(names).toEqual(["a", "B.md", "b.md", "z.md", "é.md"]);
    expect((await vault.get("e\u0301.md")).path).toBe("\u00e9.md");
    expect(await codeOf(async () => create(vault, "e\u0301.md", ""))).toBe("already_exists");
    expect(await codeOf(async () => create(vault, "b\u2400.md", ""))).toBe("invalid_argument");
  });

  it("with wildcards, and those that only begin alike, are not confused", async () => {
    const vault = await newTeamVault({
      "a_b/x.md": "1",
      "aXb/x.md": "2",
      "a_b.md": "3",
      "a%/y.md": "4",
    });
    await remove(vault, "a_b");
    expect(Object.keys(await textsOf(vault))).toEqual(["a%/y.md", "aXb/x.md", "a_b.md"]);
    await move(vault, "a%", "é/ü");
    await move(vault, "é", "o");
    expect(Object.keys(await textsOf(vault))).toEqual(["aXb/x.md", "o/ü/y.md", "a_b.md"]);
  });

  it("of folders that programs fill are in no list, and can be read", async () => {
    const files = { "node_modules/p/a.md": "a", "b.md": "b" };
    for (const vault of [temporaryVault(files), await newTeamVault(files)]) {
      expect(Object.keys(await textsOf(vault))).toEqual(["b.md"]);
      expect(await vault.shape("")).toMatchObject({ files: 1 });
      expect((await vault.list("node_modules")).map(({ name }) => name)).toEqual(["p"]);
      expect(await vault.get("node_modules/p/a.md")).toMatchObject({ isListed: false });
      expect((await vault.scan()).map(({ kind, path }) => `${kind} ${path}`).toSorted()).toEqual([
        "file b.md",
        "unlisted node_modules",
      ]);
    }
  });
});

describe("frontmatter", () => {
  const now = (): Date => new Date(2026, 10, 18, 12, 0, 0);
  const stamped = { now, stamp: stampInWrite(() => "own", now) };

  it("is written with the note, is no change of it, and an undo takes all back", async () => {
    const vault = await newTeamVault({}, stamped);
    const made = await create(vault, "a.md", "# A\n\ntext\n");
    const text = (await textsOf(vault))["a.md"] ?? "";
    expect(text).toMatch(
      /^---\ncreated: 2026-11-18T12:00:00\nupdated: 2026-11-18T12:00:00\ntokens: \d+\n---\n\n# A\n/u,
    );
    expect(await vault.shape("a.md")).toMatchObject({ facts: { changed: "2026-11-18T12:00:00" } });
    const changed = await update(vault, "a.md", text.replace("text", "other"));
    await undo(vault, changed);
    expect((await textsOf(vault))["a.md"]).toBe(text);
    await undo(vault, made);
    expect(await textsOf(vault)).toEqual({});
  });

  it("of a note that somebody else made is not touched", async () => {
    const vault = await newTeamVault({ "a.md": "theirs\n" }, stamped);
    await update(vault, "a.md", "changed\n");
    expect(await textsOf(vault)).toEqual({ "a.md": "changed\n" });
  });

  it("moves what is below it, and a part of a large file is undone all the same", async () => {
    const vault = await newTeamVault({}, stamped);
    const long = "line of a long file\n".repeat(60_000);
    await create(vault, "a.md", long);
    const before = (await textsOf(vault))["a.md"] ?? "";
    const changed = await update(vault, "a.md", `${before}${"one more line\n".repeat(1000)}`);
    expect((await textsOf(vault))["a.md"]).toContain("one more line");
    await undo(vault, changed);
    expect((await textsOf(vault))["a.md"]).toBe(before);
  });
});

describe("compared with a folder on disk", () => {
  const NAMES = ["a.md", "d/b.md", "d/e/c.md", "d", "d/e", "f", "f/g.md", "h/i.md", ""];
  const name = fc.constantFrom(...NAMES);
  const deed = fc.record({
    kind: fc.constantFrom("create", "update", "move", "remove", "undo", "force"),
    at: name,
    to: name,
    text: fc.string(),
    turn: fc.nat(5),
  });
  type Deed = Readonly<{ kind: string; at: string; to: string; text: string; turn: number }>;

  /** @param ids of the entries so far */
  async function make(
    vault: Vault,
    { kind, at, to, text, turn }: Deed,
    ids: string[],
  ): Promise<string> {
    const work = async (): Promise<string | null> => {
      if (kind === "create") return create(vault, at, text);
      if (kind === "update") return update(vault, at, text);
      if (kind === "move") return move(vault, at, to);
      if (kind === "remove") return remove(vault, at);
      const id = ids[turn % Math.max(1, ids.length)] ?? "none";
      return (await vault.undo(id, { actor: "test", force: kind === "force" })).id;
    };
    let id: string | null = null;
    const refusal = await refusalOf(async () => {
      id = await work();
    });
    if (id !== null) ids.push(id);
    return refusal === null ? String(id === null) : `${refusal.code}: ${refusal.message}`;
  }

  it("gives the same files and the same refusals, whatever is changed and undone", async () => {
    const database = await teamDatabase();
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 14 }), async (deeds) => {
        const files = { "a.md": "one\n", "d/b.md": "two\n", "d/e/c.md": "three\n" };
        const [disk, rows] = [temporaryVault(files), await newTeamVault(files, { database })];
        const [diskIds, rowIds]: [string[], string[]] = [[], []];
        for (const each of deeds)
          expect(await make(rows, each, rowIds)).toBe(await make(disk, each, diskIds));
        expect(await textsOf(rows)).toEqual(await textsOf(disk));
        const folders = async (vault: Vault): Promise<string[]> =>
          (await vault.scan())
            .filter(({ kind }) => kind === "folder")
            .map(({ path }) => path)
            .toSorted();
        expect(await folders(rows)).toEqual(await folders(disk));
        const kinds = async (vault: Vault): Promise<unknown> =>
          (await vault.log({ path: null, limit: 100 })).map(({ call, undoneBy, changes }) => [
            call,
            undoneBy !== null,
            changes.map(({ kind, path }) => `${kind} ${path}`),
          ]);
        expect(await kinds(rows)).toEqual(await kinds(disk));
      }),
      { numRuns: 40 },
    );
  });
});
