import { describe, expect, it } from "vitest";

import { callerOf } from "../../testing/temporary-vault.ts";
import { createVault } from "../../vault/vault.ts";
import { field, temporaryPlace, type TemporaryPlace } from "../testing/cli.ts";

/** Makes the changes of an agent's run: several calls, one batch. */
async function runBatch({ root, state }: TemporaryPlace, batch: string): Promise<void> {
  const vault = createVault({ root, state });
  try {
    const agent = callerOf(vault, { batch });
    await agent.update("append", { path: "one.md", content: "1", position: "top" });
    await agent.update("append", { path: "two.md", content: "2", position: "top" });
  } finally {
    vault.close();
  }
}

/** A clock that stands still on a minute of an afternoon. */
function at(minute: number): { now: () => Date } {
  return { now: () => new Date(2026, 2, 3, 14, minute) };
}

describe("coffre log", () => {
  it("lists the changes newest first, one line each", async () => {
    const { run } = temporaryPlace({ "old/x.md": "x\n", "old/y.md": "y\n" });
    await run(["write", "a b.md", "--content", "x"], at(1));
    await run(["edit", "a b.md", "--old", "x", "--new", "y"], at(2));
    await run(["move", "a b.md", "c.md"], at(3));
    await run(["delete", "old"], at(4));
    const { code, stdout } = await run(["log"], at(5));
    expect(code).toBe(0);
    expect(stdout.replaceAll(/^\w{12}  /gmu, "")).toBe(
      "2026-03-03 14:04:00  cli  delete  deleted vault/old/ (2 files)\n" +
        "2026-03-03 14:03:00  cli  move    moved vault/a b.md to vault/c.md\n" +
        "2026-03-03 14:02:00  cli  edit    changed vault/a b.md\n" +
        "2026-03-03 14:01:00  cli  write   created vault/a b.md\n",
    );
  });

  it("tells what was undone, and by what", async () => {
    const { run, json } = temporaryPlace();
    const id = field(await json(["write", "a.md", "--content", "x"]), "history");
    await run(["undo", id]);
    const [undo, write] = (await run(["log"])).stdout.split("\n");
    expect(undo).toMatch(new RegExp(`undo +deleted vault/a\\.md \\(undoes ${id}\\)$`, "u"));
    expect(write).toMatch(/write +created vault\/a\.md \(undone\)$/u);
  });

  it("names the batch a change belongs to", async () => {
    const place = temporaryPlace();
    await runBatch(place, "run-7");
    const lines = (await place.run(["log"])).stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/ test {2}append .*\(batch run-7\)$/u);
  });

  it("keeps to a path, and to a number", async () => {
    const { run, json } = temporaryPlace();
    for (const name of ["a/1.md", "a/2.md", "b.md"]) await run(["write", name, "--content", "x"]);
    expect(await json(["log", "--path", "vault/a/"])).toHaveLength(2);
    expect(await json(["log", "--path", "a/1.md"])).toHaveLength(1);
    expect(await json(["log", "--limit", "1"])).toMatchObject([
      { changes: [{ path: "vault/b.md" }] },
    ]);
    for (let count = 0; count < 19; count += 1) {
      await run(["append", "c.md", `line ${count}`, "--bottom"]);
    }
    expect(await json(["log"])).toHaveLength(20);
    expect(await json(["log", "--limit", "50"])).toHaveLength(22);
  });

  it("gives programs who, when and what as JSON", async () => {
    const { run, json } = temporaryPlace({ "a.md": "x\n" });
    await run(["move", "a.md", "b.md"], at(7));
    expect(await json(["log"], at(8))).toEqual([
      {
        id: expect.stringMatching(/^\w{12}$/u),
        at: at(7).now().toISOString(),
        actor: "cli",
        call: "move",
        batch: null,
        undoes: null,
        undone_by: null,
        changes: [{ kind: "move", path: "vault/a.md", to: "vault/b.md" }],
      },
    ]);
  });

  it("says when there is none", async () => {
    const { run, json } = temporaryPlace();
    expect(await run(["log"])).toEqual({ code: 0, stdout: "No change yet.\n", stderr: "" });
    expect(await json(["log"])).toEqual([]);
  });

  it("keeps an entry on one line, whatever a client calls itself", async () => {
    const place = temporaryPlace();
    const vault = createVault(place);
    const author = { actor: "bad\nname", call: "write", batch: null };
    await vault.change(author, async ({ writer }) => writer.create("a.md", Buffer.from("x")));
    vault.close();
    expect((await place.run(["log"])).stdout).toMatch(/^.* bad␊name .*\n$/u);
  });

  it.each([
    [2, ["--limit", "0"]],
    [2, ["--limit", "some"]],
    [2, ["a.md"]],
    [1, ["--path", "../x"]],
  ])("exits %d for %j", async (code, argv) => {
    const { run } = temporaryPlace();
    expect((await run(["log", ...argv])).code).toBe(code);
  });
});
