import { describe, expect, it } from "vitest";

import { startChild } from "../../testing/processes/child.ts";
import type { Seen } from "../../testing/processes/small-disk.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";

/** Plays a scene in a process that may mount disks of its own, root or not. */
async function play(scene: string): Promise<Seen> {
  const script = new URL("../../testing/processes/small-disk.ts", import.meta.url);
  const child = startChild(
    script,
    [scene, temporaryFolder()],
    ["unshare", "--map-root-user", "--mount"],
  );
  return JSON.parse(await child.finished());
}

async function refusedScene(scene: string): Promise<Seen> {
  const seen = await play(scene);
  expect(seen.treeAfter).toEqual(seen.treeBefore);
  expect(seen.logAfter).toEqual(seen.logBefore);
  expect(seen.after).toBe("done");
  return seen;
}

describe("a full disk", () => {
  it.each([
    "create on a full disk",
    "update on a full disk",
    "undo of a removal on a full disk",
    "undo of a batch on a full disk",
  ])("refuses the call and leaves vault and log as they were: %s", async (scene) => {
    const { code, message } = await refusedScene(scene);
    expect({ code, message }).toEqual({
      code: "disk_full",
      message: expect.stringContaining("full"),
    });
  });

  it("lets a file be moved, which takes no room", async () => {
    const seen = await play("move into new folders on a full disk");
    expect(seen.code).toBe("disk_full");
    expect(seen.after).toBe("done");
  });
});

describe("a full disk under the history", () => {
  it.each([
    "create with a full state disk",
    "update with a full state disk",
    "remove with a full state disk",
    "first change with a full state disk",
    "create with a nearly full state disk",
    "update with a nearly full state disk",
    "remove with a nearly full state disk",
  ])("refuses the call, since it could not be undone: %s", async (scene) => {
    const { code, message } = await refusedScene(scene);
    expect(`${code}: ${message}`).toMatch(/^(?:disk_full|unavailable): /u);
  });
});

describe("a disk mounted inside the vault", () => {
  it.each([
    ["move to another disk", "invalid_argument"],
    ["move of a folder to another disk", "invalid_argument"],
    ["remove of a mounted disk", "busy"],
    ["remove of a folder with a mounted disk in it", "busy"],
    ["update on a read-only disk", "no_permission"],
    ["create in a vault with another disk mounted over it", "unavailable"],
  ])("refuses what it cannot do at once, and changes nothing: %s", async (scene, code) => {
    const seen = await refusedScene(scene);
    expect({ code: seen.code, message: seen.message }).toEqual({
      code,
      message: expect.any(String),
    });
  });
});
