import { existsSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { createService, type Service } from "./compose.ts";
import { startChild } from "./testing/processes/child.ts";
import { home, until, type Home } from "./testing/service-home.ts";
import { snapshotOf } from "./testing/tree-snapshot.ts";
import type { VaultPath } from "./vault/paths.ts";

const NOTES = 24;
const STAMPED = 9;
const NAMES = Array.from({ length: NOTES }, (_, at): VaultPath => `d${at % 4}/n${at}.md`);
const PAST = new Date(2024, 4, 5, 6, 7, 8);

/** A folder of somebody's notes; some begin with a block of their own. */
function notes(): Home {
  const text = (at: number): string =>
    at % 3 === 0 ? `---\ntag: ${at}\n---\nN${at}\n` : `N${at}\n`;
  const at = home(Object.fromEntries(NAMES.map((name, each) => [name, text(each)])));
  // What was changed a moment ago may still be written by another program: it would be stamped last.
  for (const name of NAMES) utimesSync(at.file(name), PAST, PAST);
  return at;
}

async function open({ root, state }: Home): Promise<Service> {
  const service = await createService({ root, state, isWatching: true });
  onTestFinished(() => service.close().catch(() => {}));
  return service;
}

/** Leaves a folder in which an adoption was killed after some of the notes. */
async function killed(at: Home): Promise<void> {
  const script = new URL("testing/processes/adopt-until-killed.ts", import.meta.url);
  const child = startChild(script, [at.root, at.state, String(STAMPED)]);
  await expect(child.finished()).rejects.toThrow("the child failed");
}

const Settings = z.looseObject({ adoption: z.looseObject({ id: z.string() }).optional() });

function settingsOf({ state }: Home): z.infer<typeof Settings> {
  return Settings.parse(JSON.parse(readFileSync(path.join(state, "coffre.json"), "utf8")));
}

function stampedIn({ root }: Home): number {
  const files = Object.keys(snapshotOf(root)).filter((name) => /^d\d\//u.test(name));
  const texts = files.map((name) => readFileSync(path.join(root, name), "utf8"));
  return texts.filter((text) => /^tokens: \d+$/mu.test(text)).length;
}

/** The batches of all entries that changed a note; null for one outside any. */
async function batchesOf(service: Service): Promise<Set<string | null>> {
  const entries = await service.vault.log({ path: null, limit: 100 });
  return new Set(entries.filter(({ undoes }) => undoes === null).map(({ batch }) => batch));
}

async function whole(service: Service, at: Home): Promise<void> {
  await until(service, () => !JSON.stringify(settingsOf(at)).includes("unfinished"));
}

describe("an adoption that was killed", () => {
  it("is gone on with by the next service, as the same change, which one undo takes back", async () => {
    const at = notes();
    const before = snapshotOf(at.root);
    await killed(at);
    expect(stampedIn(at)).toBe(STAMPED);
    expect(settingsOf(at)).toMatchObject({
      frontmatter: "all",
      adoption: { before: "own", unfinished: "person" },
    });
    const service = await open(at);
    await whole(service, at);
    expect(stampedIn(at)).toBe(NOTES);
    const [batch, ...others] = await batchesOf(service);
    expect(others).toEqual([]);
    const [entry] = await service.vault.log({ path: null, limit: 1 });
    expect(entry).toMatchObject({ call: "adopt", actor: "person", batch });
    // By one of its entries, as the log shows them: all of it is meant.
    await service.frontmatter.undo(entry?.id ?? "", { actor: "test", force: false });
    await service.settled();
    expect(snapshotOf(at.root)).toEqual(before);
    expect(service.frontmatter.policy).toBe("own");
    await service.close();
    const again = await open(at);
    await again.settled();
    expect(snapshotOf(at.root)).toEqual(before);
  });

  it("is gone on with by adopting again, and one undo brings back the bytes and the setting", async () => {
    const at = notes();
    const before = snapshotOf(at.root);
    await killed(at);
    const service = await createService({ root: at.root, state: at.state, isWatching: false });
    onTestFinished(() => service.close().catch(() => {}));
    const id = settingsOf(at).adoption?.id ?? "";
    const adopted = await service.frontmatter.adopt("all", "person", () => {});
    expect(adopted).toEqual({ setting: "all", before: "own", history: id, files: NOTES });
    expect(settingsOf(at)).toMatchObject({ adoption: { id, before: "own" } });
    expect(stampedIn(at)).toBe(NOTES);
    expect(existsSync(at.file("tree.md"))).toBe(true);
    await service.frontmatter.undo(id, { actor: "test", force: false });
    await service.settled();
    expect(snapshotOf(at.root)).toEqual(before);
    expect(settingsOf(at)).toMatchObject({ frontmatter: "own" });
  });

  it("can be taken back while the next service is still doing the rest", async () => {
    const at = notes();
    const before = snapshotOf(at.root);
    await killed(at);
    const service = await open(at);
    const [batch] = await batchesOf(service);
    const joined = service.frontmatter.adopt("all", "test", () => {});
    await service.frontmatter.undo(batch ?? "", { actor: "test", force: false });
    await joined;
    await service.settled();
    expect(service.frontmatter.policy).toBe("own");
    expect(snapshotOf(at.root)).toEqual(before);
  });

  it("is one change with what a short command stamps before the rest is done", async () => {
    const at = notes();
    await killed(at);
    const service = await createService({ root: at.root, state: at.state, isWatching: false });
    onTestFinished(() => service.close().catch(() => {}));
    await service.changed(NAMES);
    await service.settled();
    expect((await batchesOf(service)).size).toBe(1);
    expect(settingsOf(at)).toMatchObject({ adoption: { unfinished: "person" } });
  });

  it("is no longer gone on with when another setting was chosen", async () => {
    const at = notes();
    await killed(at);
    const service = await createService({ root: at.root, state: at.state, frontmatter: "own" });
    onTestFinished(() => service.close().catch(() => {}));
    await service.settled();
    expect(stampedIn(at)).toBe(STAMPED);
    expect(JSON.stringify(settingsOf(at))).not.toContain("unfinished");
  });
});

describe("the choice of all when a service starts", () => {
  /** As `coffre serve --frontmatter all` opens a vault, up to the first of its stamps. */
  async function begun({ root, state }: Home): Promise<Service> {
    const options = { frontmatter: "all", adopter: "cli", isWatching: false } as const;
    const service = await createService({ root, state, isCatchingUp: false, ...options });
    onTestFinished(() => service.close().catch(() => {}));
    return service;
  }

  it("is an adoption, gone on with after it was stopped, which one undo takes back with the setting", async () => {
    const at = notes();
    const before = snapshotOf(at.root);
    const first = await begun(at);
    await first.changed(NAMES.slice(0, STAMPED));
    await first.settled();
    await first.close();
    expect(stampedIn(at)).toBe(STAMPED);
    const id = settingsOf(at).adoption?.id;
    const service = await open(at);
    expect(service.frontmatter.adoption).toEqual({ id, isDone: false });
    await whole(service, at);
    expect(service.frontmatter.adoption).toEqual({ id, isDone: true });
    expect(stampedIn(at)).toBe(NOTES);
    expect(await batchesOf(service)).toEqual(new Set([id]));
    await service.frontmatter.undo(id ?? "", { actor: "test", force: false });
    await service.settled();
    expect(snapshotOf(at.root)).toEqual(before);
    expect(service.frontmatter.policy).toBe("own");
    expect(service.frontmatter.adoption).toBeNull();
  });

  it("keeps the old bytes until they are let go", async () => {
    const service = await begun(notes());
    await service.changed(NAMES);
    await service.settled();
    expect(await service.frontmatter.forgetOld()).toBeGreaterThan(0);
  });

  it("can be taken back before it changed a file", async () => {
    const at = notes();
    const before = snapshotOf(at.root);
    const service = await begun(at);
    const { id } = service.frontmatter.adoption ?? {};
    const undone = await service.frontmatter.undo(id ?? "", { actor: "test", force: false });
    expect(undone).toEqual({ id: null, changes: [], skipped: [] });
    await service.changed(NAMES);
    await service.settled();
    expect(service.frontmatter.policy).toBe("own");
    expect(snapshotOf(at.root)).toEqual(before);
  });

  it("says how far it is, and when it is over", async () => {
    const at = notes();
    const service = await begun(at);
    const told: unknown[] = [];
    const stop = service.frontmatter.onWriting((progress) => told.push(progress));
    await service.frontmatter.resume();
    stop();
    expect(told.at(-1)).toBeNull();
    expect(stampedIn(at)).toBe(NOTES);
  });

  it("is no adoption of a folder that was empty, nor where all was chosen before", async () => {
    const at = home();
    const service = await begun(at);
    expect(service.frontmatter.adoption).toBeNull();
    await service.close();
    expect((await begun(at)).frontmatter.adoption).toBeNull();
  });
});

describe("an adoption that is asked for again", () => {
  it("is the same change when it was done, and one undo brings back all of it with the setting", async () => {
    const at = notes();
    const before = snapshotOf(at.root);
    const service = await open(at);
    const first = await service.frontmatter.adopt("all", "test", () => {});
    expect(first).toMatchObject({ before: "own", files: NOTES });
    const again = await service.frontmatter.adopt("all", "test", () => {});
    expect(again).toEqual({ setting: "all", before: "all", history: null, files: 0 });
    await service.frontmatter.undo(first.history ?? "", { actor: "test", force: false });
    await service.settled();
    expect(service.frontmatter.policy).toBe("own");
    expect(snapshotOf(at.root)).toEqual(before);
  });

  it("does notes too that were changed a moment before", async () => {
    const at = notes();
    const service = await open(at);
    await service.settled();
    for (const name of NAMES) utimesSync(at.file(name), new Date(), new Date());
    expect(await service.frontmatter.adopt("all", "test", () => {})).toMatchObject({
      files: NOTES,
    });
  });

  it("is refused while one runs, which stays one change", async () => {
    const at = notes();
    const before = snapshotOf(at.root);
    const service = await open(at);
    const first = service.frontmatter.adopt("all", "test", () => {});
    for (const policy of ["all", "none"] as const)
      await expect(service.frontmatter.adopt(policy, "test", () => {})).rejects.toMatchObject({
        code: "busy",
      });
    const { history } = await first;
    expect(await batchesOf(service)).toEqual(new Set([history]));
    await service.frontmatter.undo(history ?? "", { actor: "test", force: false });
    await service.settled();
    expect(snapshotOf(at.root)).toEqual(before);
  });

  it("leaves the rest to the next start when its service ends in the middle", async () => {
    const at = notes();
    const before = snapshotOf(at.root);
    const service = await open(at);
    await service.settled();
    const { vault } = service;
    const [stamp, reached] = [vault.stamp.bind(vault), Promise.withResolvers<void>()];
    const held = Promise.withResolvers<void>();
    let done = 0;
    vault.stamp = async (file, decide) => {
      done += 1;
      if (done === STAMPED) {
        reached.resolve();
        await held.promise;
      }
      return stamp(file, decide);
    };
    const adopting = service.frontmatter.adopt("all", "test", () => {});
    await reached.promise;
    const closing = service.close();
    held.resolve();
    await closing;
    const { history } = await adopting;
    expect(settingsOf(at)).toMatchObject({ adoption: { id: history, unfinished: "test" } });
    const next = await open(at);
    await whole(next, at);
    expect(stampedIn(at)).toBe(NOTES);
    await next.frontmatter.undo(history ?? "", { actor: "test", force: false });
    await next.settled();
    expect(snapshotOf(at.root)).toEqual(before);
    expect(next.frontmatter.policy).toBe("own");
  });
});
