import { expect, it } from "vitest";
import { z } from "zod";

import { create, remove, update } from "../../src/testing/suites/changes.ts";
import { emptyDatabase } from "./team-database.ts";
import { furnish, openReplica, type TeamHome } from "./team-home.ts";

const Listing = z.object({
  files: z.array(z.object({ path: z.string() })),
  gone: z.array(z.string()).optional(),
  next: z.null(),
  version: z.string(),
});

async function list({ fetch }: TeamHome, since?: string): Promise<z.infer<typeof Listing>> {
  const query = since === undefined ? "" : `?since=${since}`;
  const answer = await fetch(new Request(`http://x/api/files${query}`));
  return Listing.parse(await answer.json());
}

it("a list of files that one replica gave is brought up to date by another", async () => {
  const url = await emptyDatabase();
  await furnish(url, { "a.md": "a\n", "b.md": "b\n", "c.md": "c\n" });
  const one = await openReplica(url);
  const { version } = await list(one);
  await update(one.service.vault, "a.md", "changed\n");
  // Opened later: it knows of no change before.
  const other = await openReplica(url);
  await expect.poll(async () => (await list(one)).version).not.toBe(version);
  const known = (await list(one)).version;
  expect(await list(other, known)).toEqual({ files: [], gone: [], next: null, version: known });
  expect((await list(other, version)).gone).toBeUndefined();
  await remove(other.service.vault, "b.md");
  await create(one.service.vault, "d.md", "d\n");
  for (const replica of [one, other]) {
    await expect
      .poll(async () => {
        const { files, gone } = await list(replica, known);
        return [files.map(({ path }) => path), gone];
      })
      .toEqual([["vault/d.md"], ["vault/b.md"]]);
  }
  expect((await list(one)).version).toBe((await list(other)).version);
  expect((await list(one, "all-99999")).gone).toBeUndefined();
  expect((await list(one, "none-1")).gone).toBeUndefined();
});
