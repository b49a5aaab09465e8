import { futimesSync } from "node:fs";

import { errnoOf, explainErrno } from "../../errors.ts";
import { placeOf, type Disk, type Located } from "../disk.ts";
import { writeAll } from "../files/bytes.ts";
import { versionOf } from "../files/version.ts";
import type { History, KeepBytes } from "../history/history.ts";
import type { Change, ChangeAuthor } from "../history/history-types.ts";
import type { FoundReplacement } from "../history/undo-files.ts";
import { showPath, type VaultPath } from "../paths.ts";
import { ChangedMeanwhile, PreparedWrite, type AtomicWrite } from "./atomic-write.ts";
import type { LateWrites } from "./late-writes.ts";
import type { OpenFolder } from "./open-folder.ts";

/** What a recorded write needs from its vault, and who makes it. */
export interface RecordedWrites {
  readonly disk: Disk;
  readonly late: LateWrites;
  readonly history: History;
  readonly author: ChangeAuthor;
  readonly at: Date;
}

type Replacement = FoundReplacement<Located>;

/** A file that is ready to be put in place. */
interface Ready {
  readonly file: Replacement;
  readonly write: PreparedWrite;
}

/**
 * Replaces whole files, each at most once. Each is replaced as one alone would be (durable under a temporary name, then recorded, then
 * renamed), but every step is done for all of them before the next: so they wait for the disk together, and the records are one transaction.
 * When a file cannot be replaced, those before it have been, and are reported.
 * @param parts with the id of the entry of the history
 * @param onDone called for every change that was made
 * @returns the files that another program changed meanwhile: they are left as they are
 */
export async function replaceTogether(
  parts: RecordedWrites & { readonly id: string },
  files: readonly Replacement[],
  onDone: (change: Change) => void,
): Promise<VaultPath[]> {
  const folders = new Map<string, OpenFolder>();
  const prepared: Ready[] = [];
  try {
    await prepare(parts.disk, files, folders, prepared);
    const [ready, changed] = stillTheSame(prepared);
    const { history, late, author, at, id } = parts;
    const changes = await history.recordAll({ id, at, author }, (keep) =>
      ready.map((each) => changeOf(each, keep)),
    );
    const placed = changes.flatMap((change, turn) => {
      const file = ready[turn];
      return file === undefined ? [] : [{ change, ...file }];
    });
    const left: VaultPath[] = [];
    const failed = putInPlace(placed, late, left);
    const isMissing = new Set(left);
    if (left.length > 0) await history.retractPaths(id, left);
    await Promise.all([...folders.values()].map(async (folder) => folder.syncLater()));
    for (const { change, write } of placed) {
      if (isMissing.has(change.path)) continue;
      write.finish();
      onDone(change);
    }
    if (failed !== null) throw failed.error;
    return [...changed, ...left];
  } finally {
    for (const { write } of prepared) write.discard();
    for (const folder of folders.values()) folder.close();
  }
}

/** Fills all temporary files; what was prepared is in `prepared` also when one fails. */
async function prepare(
  disk: Disk,
  files: readonly Replacement[],
  folders: Map<string, OpenFolder>,
  prepared: Ready[],
): Promise<void> {
  const results = await Promise.allSettled(
    files.map(async (file) => {
      const { located, before, after, modified } = file;
      const place = placeOf(located);
      const folder = folders.get(place.folder.real) ?? disk.openFolder(place.folder);
      folders.set(place.folder.real, folder);
      const write: AtomicWrite = {
        ...place,
        replaces: located,
        replacedBytes: before,
        durable: "all",
        fill: async (fd) => {
          writeAll(fd, after, 0);
          if (modified !== undefined) giveTime(fd, modified);
        },
      };
      try {
        prepared.push({ file, write: await PreparedWrite.make(folder, write) });
      } catch (error) {
        throw explainErrno(error, showPath(located.path));
      }
    }),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

function giveTime(fd: number, modified: number): void {
  try {
    futimesSync(fd, Date.now() / 1000, modified / 1000);
  } catch (error) {
    // Some network disks refuse it: the bytes are what counts.
    if (errnoOf(error) === null) throw error;
  }
}

/** Those that can be put in place now, and the paths of those that another program changed. */
function stillTheSame(prepared: readonly Ready[]): [Ready[], VaultPath[]] {
  const changed: VaultPath[] = [];
  const ready = prepared.filter(({ file, write }) => {
    try {
      write.verify();
      return true;
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      changed.push(file.located.path);
      return false;
    }
  });
  return [ready, changed];
}

function changeOf({ file: { located, before, after }, write }: Ready, keep: KeepBytes): Change {
  return {
    kind: "modify",
    path: located.path,
    kept: { wholeBefore: keep([before]), wholeAfter: keep([after]) },
    version: versionOf(write.stat, after),
  };
}

/**
 * Renames them one after the other, up to the first error.
 * @param left gets the paths of all that are not in place then
 */
function putInPlace(
  files: readonly Ready[],
  late: LateWrites,
  left: VaultPath[],
): { readonly error: unknown } | null {
  let failed: { readonly error: unknown } | null = null;
  for (const { file, write } of files) {
    const { path } = file.located;
    try {
      if (failed === null) write.putInPlace(late);
      else left.push(path);
    } catch (error) {
      left.push(path);
      if (!(error instanceof ChangedMeanwhile))
        failed = { error: explainErrno(error, showPath(path)) };
    }
  }
  return failed;
}
