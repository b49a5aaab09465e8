import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { createService } from "../../compose.ts";
import { createVault } from "../../vault/vault.ts";
import { personsText } from "../../testing/persons-text.ts";
import { field, temporaryPlace, type TemporaryPlace } from "../testing/cli.ts";

function textOf({ root }: TemporaryPlace): string {
  return personsText(path.join(root, "a.md"));
}

describe("coffre undo", () => {
  it("takes back a change, and says under which id", async () => {
    const place = temporaryPlace({ "a.md": "one\n" });
    const edit = await place.json(["edit", "a.md", "--old", "one", "--new", "two"]);
    const id = field(edit, "history");
    const { code, stdout } = await place.run(["undo", id]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^Undid ${id}\\. History: \\w{12}\\.\\n {2}changed vault/a\\.md\\n$`, "u"),
    );
    expect(textOf(place)).toBe("one\n");
  });

  it("takes back the newest change as last, and the one before when repeated", async () => {
    const place = temporaryPlace({ "a.md": "one\n" });
    await place.run(["edit", "a.md", "--old", "one", "--new", "two"]);
    await place.run(["edit", "a.md", "--old", "two", "--new", "three"]);
    expect((await place.run(["undo", "last"])).code).toBe(0);
    expect(textOf(place)).toBe("two\n");
    expect((await place.run(["undo", "last"])).code).toBe(0);
    expect(textOf(place)).toBe("one\n");
    const { code, stderr } = await place.run(["undo", "last"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "There is no change to take back.\n" });
  });

  it("names the frontmatter that coffre wrote, when last finds nothing else", async () => {
    const { root, state, run } = temporaryPlace({ "a.md": "one\n", "b.md": "two\n" });
    const service = await createService({ root, state, frontmatter: "all" });
    await service.settled();
    await service.close();
    const { code, stderr } = await run(["undo", "last"]);
    const [, id = ""] = /To take that back: coffre undo (\w+)\n$/u.exec(stderr) ?? [];
    expect({ code, id }).toEqual({ code: 1, id: expect.stringMatching(/^\w{12}$/u) });
    expect((await run(["undo", "last"], { environment: { LANG: "fr_FR.UTF-8" } })).stderr).toBe(
      `Il n’y a aucun changement à annuler, sinon le frontmatter que coffre a écrit dans les notes. Pour l’annuler : coffre undo ${id}\n`,
    );
    expect((await run(["undo", id])).code).toBe(0);
    expect(readFileSync(path.join(root, "a.md"), "utf8")).toBe("one\n");
    expect((await run(["undo", "last"])).stderr).toBe("There is no change to take back.\n");
  });

  it("is itself undone like any change", async () => {
    const place = temporaryPlace({ "a.md": "one\n" });
    const edit = await place.json(["edit", "a.md", "--old", "one", "--new", "two"]);
    const undo = await place.json(["undo", field(edit, "history")]);
    expect(undo).toEqual({
      undone: field(edit, "history"),
      history: expect.any(String),
      changes: [{ kind: "modify", path: "vault/a.md" }],
    });
    await place.run(["undo", field(undo, "history")]);
    expect(textOf(place)).toBe("two\n");
  });

  it("brings back a deleted folder", async () => {
    const place = temporaryPlace({ "a.md": "x\n", "old/two words.md": "x\n" });
    const id = field(await place.json(["delete", "old"]), "history");
    expect((await place.run(["undo", id])).stdout).toContain("restored vault/old/ (1 file)");
    expect(existsSync(path.join(place.root, "old/two words.md"))).toBe(true);
  });

  it("takes back a whole batch by its name", async () => {
    const place = temporaryPlace({ "a.md": "one\n" });
    const vault = createVault(place);
    const author = { actor: "agent", call: "write", batch: "run-3" };
    for (const name of ["b.md", "c.md"]) {
      await vault.change(author, async ({ writer }) => writer.create(name, Buffer.from("x")));
    }
    vault.close();
    expect(await place.json(["undo", "run-3"])).toMatchObject({
      changes: [{ path: "vault/c.md" }, { path: "vault/b.md" }],
    });
    expect(existsSync(path.join(place.root, "b.md"))).toBe(false);
  });

  it("is refused when the file changed since, unless forced", async () => {
    const place = temporaryPlace({ "a.md": "one\n" });
    const id = field(await place.json(["edit", "a.md", "--old", "one", "--new", "two"]), "history");
    await place.run(["append", "a.md", "three", "--bottom"]);
    const refused = await place.run(["undo", id]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("vault/a.md changed since");
    expect(refused.stderr).toContain(`To undo it all the same: coffre undo ${id} --force\n`);
    expect(textOf(place)).toBe("two\n\nthree\n");
    const json = await place.run(["undo", id, "--json"]);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: "conflict" } });
    expect((await place.run(["undo", id, "--force"])).code).toBe(0);
    expect(textOf(place)).toBe("one\n");
  });

  it("does not take an empty id for the beginning of the only one", async () => {
    const place = temporaryPlace();
    await place.run(["write", "a.md", "--content", "x"]);
    expect((await place.run(["undo", ""])).code).toBe(2);
    expect((await place.run(["show", ""])).code).toBe(2);
    expect(textOf(place)).toContain("x");
  });

  it("exits 1 for an unknown id, 2 without one", async () => {
    const { run } = temporaryPlace();
    expect((await run(["undo", "nope"])).code).toBe(1);
    expect((await run(["undo"])).code).toBe(2);
  });
});
