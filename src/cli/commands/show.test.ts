import { describe, expect, it } from "vitest";

import { createVault } from "../../vault/vault.ts";
import { field, temporaryPlace, type TemporaryPlace } from "../testing/cli.ts";

async function change({ json }: TemporaryPlace, ...argv: string[]): Promise<string> {
  return field(await json(argv), "history");
}

describe("coffre show", () => {
  it("shows who, when, which call, and the lines that changed", async () => {
    const place = temporaryPlace({ "a.md": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n" });
    const id = await change(place, "edit", "a.md", "--old", "four", "--new", "4\nfour and a half");
    const { code, stdout } = await place.run(["show", id]);
    expect(code).toBe(0);
    const [first, second, ...rest] = stdout.split("\n");
    expect(first).toBe(`change ${id}`);
    expect(second).toMatch(/^by cli on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d with edit$/u);
    expect(rest.join("\n")).toBe(
      "\nchanged vault/a.md\n--- vault/a.md\n+++ vault/a.md\n@@ -1,7 +1,8 @@\n one\n two\n three\n" +
        "-four\n+4\n+four and a half\n five\n six\n seven\n",
    );
  });

  it("takes the beginning of an id", async () => {
    const place = temporaryPlace();
    const id = await change(place, "write", "a.md", "--content", "x");
    expect((await place.run(["show", id.slice(0, 10)])).stdout).toContain(`change ${id}\n`);
  });

  it("shows all lines of a new file", async () => {
    const place = temporaryPlace();
    const id = await change(place, "append", "it's 🌱.md", "hello", "--top");
    const { stdout } = await place.run(["show", id]);
    expect(stdout).toContain("created vault/it's 🌱.md\n--- /dev/null\n+++ vault/it's 🌱.md\n@@ ");
    expect(stdout).toMatch(/^\+hello$/mu);
  });

  it("shows only the part of a large file that changed", async () => {
    const place = temporaryPlace({ "big.md": "line\n".repeat(300_000) });
    const id = await change(place, "append", "big.md", "the end", "--bottom");
    const { stdout } = await place.run(["show", id]);
    expect(stdout).toContain("changed vault/big.md, a large file: this part of it\n");
    expect(stdout).toMatch(/^\+the end$/mu);
    expect(stdout.length).toBeLessThan(500);
    expect(await place.json(["show", id])).toMatchObject([
      { changes: [{ kind: "modify", inserted: expect.stringContaining("the end\n") }] },
    ]);
  });

  it("lists what a deletion took, with sizes", async () => {
    const place = temporaryPlace({ "p/old/a b.md": "12345", "p/old/sub/b.md": "x".repeat(2000) });
    const id = await change(place, "delete", "p/old");
    expect((await place.run(["show", id])).stdout).toContain(
      "deleted vault/p/old/ (2 files)\n  vault/p/old/a b.md  5 B\n  vault/p/old/sub/b.md  2 kB\n",
    );
    expect(await place.json(["show", id])).toMatchObject([
      {
        changes: [
          {
            kind: "remove",
            path: "vault/p/old",
            items: expect.arrayContaining([
              { path: "vault/p/old/a b.md", kind: "file", bytes: 5 },
              { path: "vault/p/old/sub/", kind: "folder", bytes: null },
            ]),
          },
        ],
      },
    ]);
  });

  it("shows both names of a move", async () => {
    const place = temporaryPlace({ "a.md": "x\n" });
    const id = await change(place, "move", "a.md", "b.md");
    expect((await place.run(["show", id])).stdout).toMatch(
      /\n\nmoved vault\/a\.md to vault\/b\.md\n$/u,
    );
  });

  it("says that bytes are not text instead of printing them", async () => {
    const place = temporaryPlace();
    const vault = createVault(place);
    const author = { actor: "test", call: "ingest", batch: null };
    const { id } = await vault.change(author, async ({ writer }) =>
      writer.create("x.bin", Buffer.from([0, 27, 255])),
    );
    vault.close();
    const { stdout } = await place.run(["show", id ?? ""]);
    expect(stdout).toContain("created vault/x.bin: not text: 3 B\n");
    expect(stdout).not.toContain("\u001b");
  });

  it("says that a new file is too large to show", async () => {
    const place = temporaryPlace();
    const vault = createVault(place);
    const author = { actor: "test", call: "ingest", batch: null };
    const created = await vault.change(author, async ({ writer }) =>
      writer.create("huge.md", Buffer.from("line\n".repeat(300_000))),
    );
    vault.close();
    expect((await place.run(["show", created.id ?? ""])).stdout).toContain(
      "created vault/huge.md: too large to show\n",
    );
  });

  it("shows all changes of a batch, oldest first", async () => {
    const place = temporaryPlace();
    const vault = createVault(place);
    const author = { actor: "agent", call: "write", batch: "run-9" };
    await vault.change(author, async ({ writer }) => writer.create("a.md", Buffer.from("a\n")));
    await vault.change(author, async ({ writer }) => writer.create("b.md", Buffer.from("b\n")));
    vault.close();
    const { stdout } = await place.run(["show", "run-9"]);
    expect(stdout.match(/^batch run-9$/gmu)).toHaveLength(2);
    expect(stdout.indexOf("created vault/a.md")).toBeLessThan(stdout.indexOf("created vault/b.md"));
    expect(await place.json(["show", "run-9"])).toHaveLength(2);
  });

  it("gives programs the diff as JSON", async () => {
    const place = temporaryPlace({ "a.md": "one\n" });
    const id = await change(place, "edit", "a.md", "--old", "one", "--new", "two");
    expect(await place.json(["show", id])).toMatchObject([
      {
        id,
        actor: "cli",
        changes: [
          {
            kind: "modify",
            path: "vault/a.md",
            diff: "--- vault/a.md\n+++ vault/a.md\n@@ -1,1 +1,1 @@\n-one\n+two\n",
          },
        ],
      },
    ]);
  });

  it("exits 1 for an unknown id, 2 without one", async () => {
    const { run } = temporaryPlace();
    expect(await run(["show", "nope"])).toEqual({
      code: 1,
      stdout: "",
      stderr: 'No change has the id "nope". List them with: coffre log.\n',
    });
    expect((await run(["show"])).code).toBe(2);
  });
});
