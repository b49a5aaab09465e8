import { describe, expect, it, onTestFinished } from "vitest";

import { create, move, update } from "../../src/testing/suites/changes.ts";
import { describeMaintenance, describeVault } from "../../src/testing/suites/vault-suite.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { landOverlay } from "../../src/vault/overlay/land-overlay.ts";
import { openOverlay, type OverlayVault } from "../../src/vault/overlay/overlay-vault.ts";
import type { VaultReader } from "../../src/vault/vault.ts";
import { newTeamVault } from "./team-vault.ts";

describeVault(async (files) => newTeamVault(files));
describeMaintenance(async (files) => newTeamVault(files));

describe("changes that are tried before they are made", () => {
  async function overlayOn(base: VaultReader): Promise<OverlayVault> {
    const now = (): Date => new Date(2026, 10, 18);
    const overlay = await openOverlay({ base, folder: temporaryFolder(), now });
    onTestFinished(() => overlay.close());
    return overlay;
  }

  describeVault(async (files) => overlayOn(await newTeamVault(files)));

  it("are one entry of the history once they are made, and one undo", async () => {
    const base = await newTeamVault({ "a.md": "one\n", "d/b.md": "two\n" });
    const overlay = await overlayOn(base);
    await update(overlay, "a.md", "other\n");
    await move(overlay, "d", "e");
    await create(overlay, "new.md", "new\n");
    const paths = async (vault: VaultReader): Promise<string[]> =>
      Array.fromAsync(vault.walk(""), ({ path }) => path);
    expect(await paths(base)).toEqual(["d/b.md", "a.md"]);
    await landOverlay(overlay, base, { actor: "test", call: "remember", batch: "yes" });
    expect(await paths(base)).toEqual(["e/b.md", "a.md", "new.md"]);
    expect(await base.entries("yes")).toHaveLength(1);
    await base.undo("yes", { actor: "test", force: false });
    expect(await paths(base)).toEqual(["d/b.md", "a.md"]);
    expect((await base.readBytes("a.md", 10)).bytes.toString()).toBe("one\n");
  });
});
