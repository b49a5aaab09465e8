import {
  chmodSync,
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";

import { describe, expect, it } from "vitest";

import { createService } from "./compose.ts";
import { expectRight, found, home, start, until, type Home } from "./testing/service-home.ts";
import { FRONTMATTER_POLICIES } from "./vault/frontmatter-policy.ts";

const NOTE =
  "---\ncreated: 2026-01-05T08:00:00\nupdated: 2026-01-05T08:00:00\ntokens: 26\n---\n\n# Note\n\nla pompe du moulin\n";
/** In whole seconds, so that `utimes` can set it again exactly. */
const TIME = new Date(2026, 1, 3, 4, 5, 6);

function homeWithNote(): Home {
  const at = home({ "note.md": NOTE });
  utimesSync(at.file("note.md"), TIME, TIME);
  return at;
}

/** Writes over a part of a file and gives it its old time again, as some sync programs do: inode, size and time stay. */
function editInPlace(file: string, before: string, after: string): void {
  const old = statSync(file);
  const at = readFileSync(file).indexOf(before);
  const fd = openSync(file, "r+");
  writeSync(fd, after, at);
  closeSync(fd);
  utimesSync(file, old.atime, old.mtime);
  const now = statSync(file);
  expect([now.ino, now.size, now.mtimeMs]).toEqual([old.ino, old.size, old.mtimeMs]);
}

describe.each(FRONTMATTER_POLICIES)("an edit that keeps size and time, in %s", (policy) => {
  it("is found while the service runs", async () => {
    const at = homeWithNote();
    const service = await start(at, policy);
    utimesSync(at.file("note.md"), TIME, TIME);
    await service.rescan();
    await service.settled();
    editInPlace(at.file("note.md"), "moulin", "jardin");
    await until(service, async () => (await found(service, "jardin")).length === 1);
    expect(await found(service, "moulin")).toEqual([]);
    expect(at.read("note.md")).toContain("la pompe du jardin");
    if (policy === "all") await expectRight(service, at);
  });

  it("is found by the next start when the service was off", async () => {
    const at = homeWithNote();
    const first = await start(at, policy);
    expect(await found(first, "moulin")).toEqual(["note.md"]);
    await first.close();
    utimesSync(at.file("note.md"), TIME, TIME);
    await (await start(at, policy)).close();
    editInPlace(at.file("note.md"), "moulin", "jardin");
    const next = await start(at, policy);
    expect(await found(next, "jardin")).toEqual(["note.md"]);
    expect(await found(next, "moulin")).toEqual([]);
    if (policy === "all") await expectRight(next, at);
  });

  it("is counted by a comparison, which a file that was only touched is not", async () => {
    const at = homeWithNote();
    const { root, state } = at;
    const once = await createService({ root, state, frontmatter: policy, isWatching: false });
    await once.settled();
    utimesSync(at.file("note.md"), TIME, TIME);
    await once.rescan();
    await once.settled();
    chmodSync(at.file("note.md"), 0o600);
    expect(await once.rescan()).toEqual({ changed: 0, gone: 0 });
    await once.settled();
    editInPlace(at.file("note.md"), "moulin", "jardin");
    expect(await once.rescan()).toEqual({ changed: 1, gone: 0 });
    await once.settled();
    expect(await found(once, "jardin")).toEqual(["note.md"]);
    await once.close();
  });

  it("is not seen in a mode, a link or a name that changed and came back", async () => {
    const at = homeWithNote();
    const service = await start(at, policy);
    const reports: unknown[] = [];
    service.onDone((report) => void reports.push(report));
    const before = at.read("note.md");
    const file = at.file("note.md");
    const { mtimeMs } = statSync(file);
    chmodSync(file, 0o600);
    linkSync(file, `${at.state}/backup`);
    rmSync(`${at.state}/backup`);
    renameSync(file, `${at.state}/away`);
    renameSync(`${at.state}/away`, file);
    await service.rescan();
    await service.settled();
    expect(at.read("note.md")).toBe(before);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    expect(await found(service, "moulin")).toEqual(["note.md"]);
    expect(reports).toEqual([]);
  });
});
