import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { createService } from "../../compose.ts";
import { agentHome, type AgentHome } from "../../testing/agent-home.ts";
import { codeOf, refusalOf } from "../../testing/expected-error.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { houseTurn, NOTE, PIXEL, UNSURE } from "../../testing/models/house-script.ts";
import { snapshotOf } from "../../testing/tree-snapshot.ts";

const now = (): Date => new Date("2026-11-16T10:00:00");

async function house(): Promise<AgentHome> {
  const home = await agentHome(houseFiles, houseTurn, { now });
  await home.service.rescan();
  await home.service.settled();
  return home;
}

function bytesOf({ service }: AgentHome): Record<string, string> {
  return snapshotOf(service.vault.root);
}

function keptOverlays({ service }: AgentHome): string[] {
  const folder = path.join(service.vault.state, "previews");
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe("a preview", () => {
  it("changes no byte of the vault, and tells what it would change, one row a file", async () => {
    const home = await house();
    const before = bytesOf(home);
    const { id, status, report } = await home.remember(NOTE, { isPreview: true });
    expect(status).toBe("preview");
    expect(report).toMatchObject({ outcome: "filed", batch: null, isPreview: true });
    expect(bytesOf(home)).toEqual(before);
    const files = await home.memory.previews.proposed(id);
    expect(files.map((file) => file.path)).toEqual([
      "overview.md",
      "projects/house/changelog.md",
      "projects/house/state.md",
      "projects/house/tasks.md",
    ]);
    expect(home.bugs).toEqual([]);
  });

  it("accepted, gives what the same note gives without one, as one batch that is undone as one", async () => {
    const [direct, home] = [await house(), await house()];
    await direct.remember(NOTE);
    const before = bytesOf(home);
    const { id } = await home.remember(NOTE, { isPreview: true });
    const accepted = await home.memory.previews.accept(id);
    expect(accepted).toMatchObject({ status: "done", report: { batch: `${id}-yes` } });
    expect(accepted.report?.isPreview).toBeUndefined();
    for (const each of [direct, home]) await each.service.settled();
    const texts = (each: AgentHome): string[] =>
      ["overview.md", "projects/house/state.md", "projects/house/tasks.md"].map(each.read);
    expect(texts(home)).toEqual(texts(direct));
    expect(await home.service.vault.entries(`${id}-yes`)).toHaveLength(1);
    await home.service.vault.undo(`${id}-yes`, { actor: "test", force: false });
    await home.service.settled();
    expect(bytesOf(home)).toEqual(before);
    expect(keptOverlays(home)).toEqual([]);
  });

  it("rejected, leaves nothing", async () => {
    const home = await house();
    const before = bytesOf(home);
    const { id } = await home.remember(NOTE, { isPreview: true });
    expect((await home.memory.previews.reject(id)).status).toBe("cancelled");
    expect(bytesOf(home)).toEqual(before);
    expect(keptOverlays(home)).toEqual([]);
    expect(await codeOf(() => home.memory.previews.accept(id))).toBe("conflict");
  });

  it("rejected after a process was killed while it accepted, takes back what that one made", async () => {
    const home = await house();
    const { id } = await home.remember(NOTE, { isPreview: true });
    const before = bytesOf(home);
    const { vault } = home.service;
    const author = { actor: "update", call: "remember", batch: `${id}-yes` };
    await vault.change(author, async ({ writer }) =>
      writer.create("projects/house/half.md", Buffer.from("half of it\n")),
    );
    await home.memory.previews.reject(id);
    await home.service.settled();
    expect(bytesOf(home)).toEqual(before);
  });

  it("makes nothing when a file changed meanwhile, says which, and stays", async () => {
    const home = await house();
    const { id } = await home.remember(NOTE, { isPreview: true });
    home.write("projects/house/state.md", "Somebody was quicker.\n");
    const before = bytesOf(home);
    const refused = await refusalOf(() => home.memory.previews.accept(id));
    expect(refused?.code).toBe("conflict");
    expect(refused?.message).toContain("vault/projects/house/state.md");
    expect(bytesOf(home)).toEqual(before);
    expect((await home.memory.updates.get(id)).status).toBe("preview");
  });

  it("includes the inbox item and its originals", async () => {
    const home = await agentHome(houseFiles, [UNSURE, { text: "Is it for the boat?" }], { now });
    const images = [{ name: "tin.png", data: PIXEL }];
    const { id, report } = await home.remember("Two tins of varnish", { isPreview: true, images });
    expect(report?.inbox).toBe("2026-11-16-varnish");
    expect(home.service.vault.root).toSatisfy(
      (root: string) => !existsSync(path.join(root, "inbox/2026-11-16-varnish")),
    );
    await home.memory.previews.accept(id);
    expect(readdirSync(path.join(home.service.vault.root, "inbox/2026-11-16-varnish"))).toEqual(
      expect.arrayContaining(["original.md", "review.md", "tin.png"]),
    );
  });

  it("waits through a restart, and what a killed run left is removed", async () => {
    const home = await house();
    const { id } = await home.remember(NOTE, { isPreview: true });
    const { root, state } = home.service.vault;
    await home.service.close();
    const memory = { model: null, onBug: () => {} };
    const service = await createService({ root, state, isWatching: false, memory, now });
    try {
      expect(readdirSync(path.join(state, "previews"))).toEqual([id]);
      const accepted = await service.memory?.previews.accept(id);
      expect(accepted?.status).toBe("done");
      expect(home.read("projects/house/state.md")).toContain("Starts on 2026-11-20");
    } finally {
      await service.close();
    }
  });

  it("is answered once, however many answer at the same time", async () => {
    const home = await house();
    const { id } = await home.remember(NOTE, { isPreview: true });
    const { previews } = home.memory;
    const answers = await Promise.allSettled([previews.accept(id), previews.accept(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(home.read("projects/house/state.md")).toContain("Starts on 2026-11-20");
  });
});
