import { expect, it } from "vitest";

import { coffre, type Ran } from "../../src/cli/testing/cli.ts";
import { personWith, servedTeam } from "./served-team.ts";

it("the command line reaches a vault of a team at its address, with what its person may do", async () => {
  const served = await servedTeam({ replicas: 2 });
  const ana = await personWith(served, "Ana", "house", { "": "editor", hr: "none" });
  const vic = await personWith(served, "Vic", "house", { "": "viewer" });
  let turn = 0;
  // Each command asks another replica than the one before.
  const as =
    ({ token }: { readonly token: string }) =>
    async (...argv: string[]): Promise<Ran> => {
      turn += 1;
      const address = `${served.addresses[turn % 2]}/v/house`;
      return coffre([...argv, "--vault", address], { environment: { COFFRE_TOKEN: token } });
    };
  const [run, look] = [as(ana), as(vic)];
  const fine = async (...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...argv);
    expect([argv, code, stderr]).toEqual([argv, 0, ""]);
    return stdout;
  };
  await fine("write", "roof.md", "# Roof\n\nTiles are red.\n");
  await fine("edit", "roof.md", "--old", "Tiles are red.", "--new", "Tiles are slate.");
  await fine("append", "roof.md", "Hale comes on Monday.", "--bottom");
  expect(await fine("read", "roof.md")).toContain("Tiles are slate.");
  expect(await fine("search", "slate")).toContain("vault/roof.md");
  expect(await fine("concat", "roof.md")).toContain("Hale comes on Monday.");
  await fine("move", "roof.md", "house/roof.md");
  expect(await fine("tree")).toContain("house/");
  expect(await fine("log")).toContain("Ana (cli)");
  await fine("undo", "last");
  expect(await fine("tree")).not.toContain("house/");
  await fine("delete", "roof.md");
  await fine("undo", "last");
  expect(await fine("remember", "Two tins of varnish", "--wait")).toContain("inbox");
  expect(await fine("inbox")).toContain("two-tins-of-varnish");
  expect(await fine("recall", "slate")).toContain("vault/roof.md");
  expect((await look("read", "roof.md")).stdout).toContain("Tiles are slate.");
  const refused = await look("append", "roof.md", "x", "--bottom");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/may|role/u)]);
  const hidden = await run("write", "hr/pay.md", "x");
  expect(hidden.code).toBe(1);
  expect(served.bugs).toEqual([]);
});
