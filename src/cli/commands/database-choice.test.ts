import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { coffre, temporaryPlace } from "../testing/cli.ts";

/** Nothing listens there. */
const DATABASE = "postgres://127.0.0.1:1/none";
const COFFRE_DATABASE = DATABASE;
const AWAY = "The database cannot be reached";

/** What one types, with a folder of notes and its state. */
type Line = (root: string, state: string) => readonly string[];

describe.each(["doctor", "reindex"])("coffre %s", (command) => {
  const local: readonly (readonly [string, Line])[] = [
    ["a path", (root, state) => ["--vault", root, "--state", state]],
    [
      "a relative path",
      (root, state) => ["--vault", path.relative(process.cwd(), root), "--state", state],
    ],
    ["nothing, with COFFRE_VAULT", (_, state) => ["--state", state]],
  ];
  it.each(local)("takes the folder for %s, whatever COFFRE_DATABASE is", async (_, line) => {
    const { root, state } = temporaryPlace({ "a.md": "# A\n" });
    const environment = { COFFRE_DATABASE, COFFRE_VAULT: root };
    const { code, stderr } = await coffre([command, ...line(root, state)], { environment });
    expect(stderr).not.toContain(AWAY);
    expect(code).toBe(0);
  });

  it("takes a path for a folder also when nothing is there", async () => {
    const missing = path.join(temporaryFolder(), "none");
    const { code, stdout, stderr } = await coffre([command, "--vault", missing], {
      environment: { COFFRE_DATABASE },
    });
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("There is no vault in ");
  });

  const remote: readonly (readonly [string, Line, Readonly<Record<string, string>>])[] = [
    ["a name and COFFRE_DATABASE", () => ["--vault", "house"], { COFFRE_DATABASE }],
    ["a name and --database", () => ["--vault", "house", "--database", DATABASE], {}],
    ["--database, whatever --vault is", (root) => ["--vault", root, "--database", DATABASE], {}],
  ];
  it.each(remote)("takes the database for %s", async (_, line, environment) => {
    const { root, state } = temporaryPlace();
    const { code, stderr } = await coffre([command, ...line(root, state)], { environment });
    expect([code, stderr]).toEqual([1, expect.stringContaining(AWAY)]);
  });
});

describe("coffre doctor", () => {
  it("takes all vaults of the database for --database alone", async () => {
    const { code, stderr } = await coffre(["doctor", "--database", DATABASE]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(AWAY)]);
  });
});

describe("coffre serve", () => {
  it("refuses --database with --vault, one of which it would not heed", async () => {
    const { root } = temporaryPlace();
    for (const vault of [root, "house"]) {
      const line = ["serve", "--database", DATABASE, "--vault", vault, "--token", "t"];
      const { code, stderr } = await coffre(line);
      expect([code, stderr]).toEqual([2, expect.stringContaining("give one of them")]);
    }
  });

  it("takes the database for COFFRE_DATABASE", async () => {
    const environment = { COFFRE_DATABASE, COFFRE_TOKEN: "a-token-that-is-long-enough" };
    const { code, stderr } = await coffre(["serve", "--port", "0"], { environment });
    expect([code, stderr]).toEqual([1, expect.stringContaining(AWAY)]);
  });

  it("takes the folder for --vault, whatever COFFRE_DATABASE is", async () => {
    const missing = path.join(temporaryFolder(), "none");
    const { code, stderr } = await coffre(["serve", "--vault", missing], {
      environment: { COFFRE_DATABASE },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining("There is no vault in ")]);
  });
});

describe.each([
  ["import", [".", "--vault", "house"]],
  ["export", ["out", "--vault", "house"]],
  ["team", []],
])("coffre %s", (command, rest) => {
  it("takes the database for COFFRE_DATABASE, and for --database", async () => {
    const state = ["--state", temporaryFolder()];
    const [first, ...others] = rest;
    const at = first === undefined ? [] : [path.join(temporaryFolder(), "notes")];
    if (command === "import") at[0] = temporaryPlace().root;
    const line = [command, ...at, ...others, ...state];
    const byVariable = await coffre(line, { environment: { COFFRE_DATABASE } });
    expect([byVariable.code, byVariable.stderr]).toEqual([1, expect.stringContaining(AWAY)]);
    const byOption = await coffre([...line, "--database", DATABASE]);
    expect([byOption.code, byOption.stderr]).toEqual([1, expect.stringContaining(AWAY)]);
  });
});
