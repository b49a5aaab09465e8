import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createService } from "../../src/compose.ts";
import { fillIndex } from "../../src/index/fill-index.ts";
import type { IndexReader } from "../../src/index/search-index.ts";
import { openTeamVault } from "../../src/compose-team.ts";
import { simpleService } from "../../src/server/testing/simple-service.ts";
import { callTool } from "../../src/tools/call.ts";
import { createSession } from "../../src/tools/session.ts";
import type { FrontmatterPolicy } from "../../src/vault/frontmatter-policy.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { createVault, type Vault } from "../../src/vault/vault.ts";
import { CALLS, FILES } from "../mcp/calls.ts";
import { settledVault } from "../mcp/settled-vault.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";
import { fill } from "./team-vault.ts";

/** One of the two vaults. */
interface Side {
  readonly vault: Vault;
  readonly index: IndexReader;
  /** Resolves when nothing is left to be done. */
  readonly settled: () => Promise<unknown>;
}

/** The answer of every call, one after the other in one session, without what no two changes share: ids and times. */
async function answers({ vault, index, settled }: Side): Promise<string[]> {
  const common = { vault, index, session: createSession("test"), now: () => new Date() };
  const told: string[] = [];
  for (const { what, tool, args } of CALLS) {
    const result =
      tool === "concat"
        ? await callTool(tool, args, { ...common, profile: "search" })
        : await callTool(tool, args, { ...common, profile: "update", batch: null });
    const text = JSON.stringify(result)
      .replaceAll(/History: \w+/gu, "History: ID")
      .replaceAll(/"history":"\w+"/gu, '"history":"ID"')
      .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?/gu, "TIME");
    told.push(`${what}: ${text}`);
    await settled();
  }
  return told;
}

/** The same files in a database. */
async function team(root: string, policy: FrontmatterPolicy): Promise<Side> {
  const database = await teamDatabase({ url: await emptyDatabase() });
  const row = await makeVaultRow(database, "same");
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = names.map((name) => ({ name, stat: statSync(path.join(root, name)) }));
  for (const { name, stat } of files.filter((each) => each.stat.isFile()))
    await fill(
      database,
      row,
      { [name.normalize("NFC")]: readFileSync(path.join(root, name)) },
      Math.floor(stat.mtimeMs),
    );
  const now = (): Date => new Date();
  const { vault, index } = await openTeamVault({ database, row, now, policy: () => policy });
  await fillIndex(vault, index);
  return { vault, index, settled: async () => {} };
}

it("the nine tools answer the same from a folder and from a database, byte for byte", async () => {
  const { root, state } = (await settledVault(FILES))();
  const disk = createVault({ root, state });
  onTestFinished(() => disk.close());
  const onDisk = { vault: disk, index: simpleService(disk).index, settled: async () => {} };
  expect(await answers(await team(root, "none"))).toEqual(await answers(onDisk));
});

it("the nine tools answer the same when notes get frontmatter, in a folder by its job and in a database as they are written", async () => {
  const { root, state } = (await settledVault(FILES))();
  // A database makes it when it is read.
  rmSync(path.join(root, "tree.md"));
  const inDatabase = await answers(await team(root, "own"));
  const service = await createService({ root, state, isWatching: false, frontmatter: "own" });
  onTestFinished(async () => service.close());
  await service.settled();
  const { vault, index } = service;
  expect(inDatabase).toEqual(
    await answers({ vault, index, settled: async () => service.settled() }),
  );
});
