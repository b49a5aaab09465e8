import { randomBytes } from "node:crypto";

import { describe, expect, it } from "vitest";

import { describeOverlays, type OverlayHome } from "../../src/testing/suites/overlay-suite.ts";
import { codeOf } from "../../src/testing/expected-error.ts";
import { create, update } from "../../src/testing/suites/changes.ts";
import type { Files } from "../../src/testing/temporary-vault.ts";
import { PostgresOverlays } from "../../src/vault/postgres/postgres-overlays.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow, vaultNames } from "../../src/vault/postgres/vault-row.ts";
import { asOwner, emptyDatabase, teamDatabase } from "./team-database.ts";
import { fill } from "./team-vault.ts";

const now = (): Date => new Date(2026, 10, 18);

async function home(files: Files, url?: string, name?: string): Promise<OverlayHome> {
  const database = await teamDatabase(url === undefined ? undefined : { url });
  const row = await makeVaultRow(database, name ?? `vault-${randomBytes(6).toString("hex")}`);
  await fill(database, row, files);
  const base = new PostgresVault({ database, row, now });
  return { base, overlays: new PostgresOverlays({ database, row, base, now }) };
}

describeOverlays({ make: async (files) => home(files), runs: 25 });

describe("an overlay in PostgreSQL", () => {
  it("is no vault that has an address, and goes with the vault below", async () => {
    const url = await emptyDatabase();
    const { overlays } = await home({ "a.md": "one\n" }, url, "house");
    const overlay = await overlays.create("tried");
    await update(overlay, "a.md", "two\n");
    const database = await teamDatabase({ url });
    expect(await vaultNames(database)).toEqual(["house"]);
    await asOwner("DELETE FROM vaults WHERE name = 'house'", url);
    expect(
      await asOwner("SELECT 1 FROM blobs UNION ALL SELECT 1 FROM overlay_copies", url),
    ).toEqual([]);
  });

  it("is one for all replicas: each sees what another changed in it, and is refused when it is gone", async () => {
    const url = await emptyDatabase();
    const one = await home({ "a.md": "one\n", "b.md": "b\n" }, url, "house");
    const other = await home({}, url, "house");
    const first = await one.overlays.create("tried");
    const second = await other.overlays.open("tried");
    await update(first, "a.md", "two\n");
    await second.refresh();
    expect([...second.brought.keys()]).toEqual(["a.md"]);
    await update(second, "b.md", "two\n");
    await update(first, "b.md", "three\n");
    await first.refresh();
    expect([...first.brought.keys()]).toEqual(["a.md", "b.md"]);
    await other.overlays.remove("tried");
    expect(await codeOf(async () => create(first, "c.md", "c\n"))).toBe("not_found");
  });

  it("keeps what another replica has just begun, or is trying for an update that runs", async () => {
    const url = await emptyDatabase();
    const { overlays } = await home({}, url, "house");
    for (const name of ["fresh", "old", "running", "named"]) await overlays.create(name);
    await asOwner(
      "UPDATE vaults SET made = now() - interval '2 hours' WHERE overlay <> 'fresh'",
      url,
    );
    await asOwner(
      "INSERT INTO updates (vault, id, status, input, created) SELECT id, 'running', 'running', '{}', 0 FROM vaults WHERE name = 'house'",
      url,
    );
    await overlays.keepOnly(new Set(["named"]));
    const kept = ["fresh", "old", "running", "named"].map(async (name) => overlays.has(name));
    expect(await Promise.all(kept)).toEqual([true, false, true, true]);
  });
});
