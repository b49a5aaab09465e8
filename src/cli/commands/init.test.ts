import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { coffre, type Ran } from "../testing/cli.ts";

function newPlace(): { folder: string; init: (...argv: string[]) => Promise<Ran> } {
  const base = temporaryFolder();
  const folder = path.join(base, "deep", "my notes");
  const environment = { XDG_STATE_HOME: path.join(base, "states") };
  return {
    folder,
    init: async (...argv) => coffre(["init", folder, ...argv], { environment }),
  };
}

describe("coffre init", () => {
  it("makes a vault where nothing was, and says what to try", async () => {
    const { folder, init } = newPlace();
    const { code, stdout, stderr } = await init();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Made 5 files in .*deep\/my notes\n/u);
    expect(stdout).toContain(`  coffre tree --vault '${folder}'\n`);
    expect(stdout).toContain(`export COFFRE_VAULT='${folder}'\n`);
    expect(existsSync(path.join(folder, "overview.md"))).toBe(true);
    expect(existsSync(path.join(folder, "projects"))).toBe(true);
  });

  it("suggests commands that work as they are typed", async () => {
    const base = temporaryFolder();
    const environment = {
      COFFRE_VAULT: path.join(base, "notes"),
      COFFRE_STATE: path.join(base, "state"),
    };
    const { stdout } = await coffre(["init"], { environment });
    expect(stdout).toContain("  coffre tree\n");
    expect(stdout).not.toContain("--vault");
    expect((await coffre(["read", "overview.md"], { environment })).code).toBe(0);
    expect(stdout).toContain('  coffre remember "Try coffre this week"\n');
    expect((await coffre(["remember", "Try coffre this week"], { environment })).code).toBe(0);
  });

  it("has nothing to do the second time", async () => {
    const { folder, init } = newPlace();
    await init("--demo");
    const tasks = path.join(folder, "tasks.md");
    writeFileSync(tasks, "mine\n");
    const { code, stdout } = await init("--demo");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing to do: the vault in .*my notes has all its files\.\n$/u);
    expect(readFileSync(tasks, "utf8")).toBe("mine\n");
  });

  it("adds the demo to a vault, leaving what is there", async () => {
    const { folder, init } = newPlace();
    await init();
    const overview = readFileSync(path.join(folder, "overview.md"), "utf8");
    const { stdout } = await init("--demo");
    expect(Number(/^Made (\d+) files/u.exec(stdout)?.[1])).toBeGreaterThan(10);
    expect(readFileSync(path.join(folder, "overview.md"), "utf8")).toBe(overview);
  });

  it("speaks the language asked for, else that of the system", async () => {
    const french = newPlace();
    await french.init("--demo", "--lang", "fr");
    expect(existsSync(path.join(french.folder, "projects/voilerie/state.md"))).toBe(true);
    const base = temporaryFolder();
    const environment = { LANG: "fr_FR.UTF-8", XDG_STATE_HOME: path.join(base, "states") };
    await coffre(["init", path.join(base, "a"), "--demo"], { environment });
    expect(existsSync(path.join(base, "a/projects/voilerie"))).toBe(true);
    await coffre(["init", path.join(base, "b"), "--demo", "--lang", "en"], { environment });
    expect(existsSync(path.join(base, "b/projects/sail-loft"))).toBe(true);
  });

  it("gives programs the folders and the files made as JSON", async () => {
    const { folder, init } = newPlace();
    const { stdout } = await init("--json");
    expect(JSON.parse(stdout)).toEqual({
      vault: folder,
      state: expect.stringContaining("my-notes-"),
      created: expect.arrayContaining(["vault/overview.md", "vault/tree.md"]),
    });
    expect(JSON.parse((await init("--json")).stdout)).toMatchObject({ created: [] });
  });

  it("can be undone, as one change", async () => {
    const { folder, init } = newPlace();
    await init("--state", `${folder}-state`);
    const place = ["--vault", folder, "--state", `${folder}-state`];
    const [id = ""] = (await coffre(["log", ...place])).stdout.split(" ");
    expect((await coffre(["undo", id, ...place])).code).toBe(0);
    expect(existsSync(path.join(folder, "overview.md"))).toBe(false);
  });

  it("exits 1 where a file is in the way", async () => {
    const file = path.join(temporaryFolder(), "notes");
    writeFileSync(file, "x");
    const { code, stderr } = await coffre(["init", file]);
    expect(code).toBe(1);
    expect(stderr).toContain(file);
    expect((await coffre(["init", `${file}/sub`])).code).toBe(1);
  });

  it("exits 2 for another language, or two folders", async () => {
    const { init } = newPlace();
    expect((await init("--lang", "de")).code).toBe(2);
    expect((await init("--vault", temporaryFolder())).code).toBe(2);
  });
});
