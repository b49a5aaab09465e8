import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmSync,
  type BigIntStats,
} from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { errnoOf, ExpectedError, explainErrno } from "../errors.ts";
import { makePrivateFolder } from "../storage/private-folder.ts";
import { copyDatabase } from "../storage/sqlite.ts";
import { TEMPORARY_PREFIX } from "../vault/write/open-folder.ts";
import type { LocalVault } from "../vault/vault.ts";
import { padding, tarEnd, tarHead, type TarHead } from "./tar.ts";

/** What is kept of a state folder besides its databases. What is left out can be made again: index, vectors, token, log. */
export const STATE_FILES = ["coffre.json"];
export const STATE_DATABASES = ["history.sqlite", "queue.sqlite", "job.sqlite"];
/** The last thing in an archive; without it, something is missing. */
export const END_NAME = "coffre-backup.json";
/** In its place when the archive could not be finished: why. */
export const PROBLEM_NAME = "coffre-backup-problem.json";

const CHUNK = 256 * 1024;
const AUTHOR = { actor: "coffre", call: "backup", batch: null };

/** Something under a folder, as it was when it was looked at. */
interface Found {
  /** With `/`, from the folder. */
  readonly name: string;
  readonly stat: BigIntStats;
}

/**
 * A vault and what belongs to it, as a tar archive, while it is in use. Every file is sent as it is found; then, with all writers waiting,
 * databases are copied together with what changed meanwhile, and sent again: the later one of a name counts. So the whole is of one moment.
 * A failure ends the archive with {@link PROBLEM_NAME}.
 */
export async function* archiveOf(vault: LocalVault, now: Date): AsyncGenerator<Buffer> {
  makePrivateFolder(vault.state);
  const scratch = mkdtempSync(path.join(vault.state, "backup-"));
  const sent = new Map<string, string>();
  try {
    for (const found of everythingIn(vault.root)) {
      await nextTurn();
      yield* sending(found, vault.root, sent);
    }
    const last = await alone(vault, async () => copyChanged(vault, scratch, sent));
    for (const { head, file } of last.copies) yield* copied(head, file);
    const end = { version: 1, made: now.toISOString(), gone: last.gone };
    yield* whole(END_NAME, Buffer.from(`${JSON.stringify(end)}\n`), now);
    yield tarEnd();
  } catch (error) {
    const known = errnoOf(error) === null ? error : explainErrno(error, "A file of the vault");
    if (!(known instanceof ExpectedError)) throw error;
    const { code, message: detail } = known;
    yield* whole(PROBLEM_NAME, Buffer.from(JSON.stringify({ code, detail })), now);
    yield tarEnd();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** With all writers of the vault waiting; a vault that takes no writes needs no waiting. */
async function alone<T>(vault: LocalVault, work: () => Promise<T>): Promise<T> {
  if (vault.writeProblem() !== null) return work();
  return (await vault.change(AUTHOR, async () => work())).value;
}

/** All files, folders and links under a folder, hidden ones too; our own unfinished writes are no part of it. */
function* everythingIn(root: string, folder = ""): Generator<Found> {
  const place = path.join(root, folder);
  yield { name: folder, stat: lstatSync(place, { bigint: true }) };
  for (const name of readdirSync(place).toSorted()) {
    if (name.startsWith(TEMPORARY_PREFIX)) continue;
    const inside = folder === "" ? name : `${folder}/${name}`;
    const stat = lstatSync(path.join(root, inside), { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (stat.isDirectory()) yield* everythingIn(root, inside);
    else if (stat.isFile() || stat.isSymbolicLink()) yield { name: inside, stat };
  }
}

/** Differs when a file may be another one. */
function versionOf({ ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs, mode].join(":");
}

function headOf({ name, stat }: Found, root: string): TarHead {
  const common = {
    mode: Number(stat.mode & 0o7777n),
    modified: Number(stat.mtimeNs / 1000n) / 1000,
    size: 0,
  };
  const inVault = name === "" ? "vault" : `vault/${name}`;
  if (stat.isDirectory()) return { ...common, name: `${inVault}/`, kind: "folder" };
  if (!stat.isSymbolicLink())
    return { ...common, name: inVault, kind: "file", size: Number(stat.size) };
  return { ...common, name: inVault, kind: "link", target: readlinkSync(path.join(root, name)) };
}

async function* sending(
  found: Found,
  root: string,
  sent: Map<string, string>,
): AsyncGenerator<Buffer> {
  const { name, stat } = found;
  try {
    if (!stat.isFile()) {
      yield tarHead(headOf(found, root));
      sent.set(name, versionOf(stat));
      return;
    }
    const fd = openSync(path.join(root, name), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const opened = fstatSync(fd, { bigint: true });
      yield* contentOf(headOf({ name, stat: opened }, root), fd);
      // Of the moment before it was read: what changed since is sent again.
      sent.set(name, versionOf(opened));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    // Gone, or another thing by now: the second look finds out.
    if (["ENOENT", "ELOOP", "ENOTDIR"].includes(errnoOf(error) ?? "")) return;
    throw explainErrno(error, `vault/${name}`);
  }
}

/** Exactly as many bytes as the head says, also of a file that was cut meanwhile. */
async function* contentOf(head: TarHead, fd: number): AsyncGenerator<Buffer> {
  yield tarHead(head);
  let left = head.size;
  while (left > 0) {
    const chunk = Buffer.alloc(Math.min(CHUNK, left));
    const read = readSync(fd, chunk);
    left -= chunk.length;
    if (read < chunk.length) {
      yield chunk;
      for (; left > 0; left -= CHUNK) yield Buffer.alloc(Math.min(CHUNK, left));
      break;
    }
    yield chunk;
    await nextTurn();
  }
  yield padding(head.size);
}

async function* whole(name: string, bytes: Buffer, now: Date): AsyncGenerator<Buffer> {
  const facts = { name, kind: "file", mode: 0o600, modified: now.getTime() } as const;
  yield tarHead({ ...facts, size: bytes.length });
  yield bytes;
  yield padding(bytes.length);
}

interface Copy {
  readonly head: TarHead;
  /** Null for what has no content. */
  readonly file: string | null;
}

/** Copies the databases, and what changed since it was sent. */
async function copyChanged(
  vault: LocalVault,
  scratch: string,
  sent: ReadonlyMap<string, string>,
): Promise<{ copies: Copy[]; gone: string[] }> {
  const copies: Copy[] = [];
  const gone = new Set(sent.keys());
  const place = (): string => path.join(scratch, String(copies.length));
  for (const name of STATE_DATABASES) {
    const from = path.join(vault.state, name);
    if (!existsSync(from)) continue;
    const file = place();
    await copyDatabase(from, file);
    copies.push({ head: stateHead(name, file), file });
  }
  for (const name of STATE_FILES) {
    const from = path.join(vault.state, name);
    if (!existsSync(from)) continue;
    const file = place();
    copyFileSync(from, file);
    copies.push({ head: stateHead(name, file), file });
  }
  for (const found of everythingIn(vault.root)) {
    const { name, stat } = found;
    gone.delete(name);
    if (sent.get(name) === versionOf(stat)) continue;
    const head = headOf(found, vault.root);
    const file = head.kind === "file" ? place() : null;
    if (file !== null) copyFileSync(path.join(vault.root, name), file);
    const size = file === null ? 0 : lstatSync(file).size;
    copies.push({ head: { ...head, size }, file });
  }
  return { copies, gone: [...gone] };
}

function stateHead(name: string, file: string): TarHead {
  const { size, mtimeMs: modified } = lstatSync(file);
  return { name: `state/${name}`, kind: "file", size, mode: 0o600, modified };
}

async function* copied(head: TarHead, file: string | null): AsyncGenerator<Buffer> {
  if (file === null) {
    yield tarHead(head);
    return;
  }
  const fd = openSync(file, "r");
  try {
    yield* contentOf(head, fd);
  } finally {
    closeSync(fd);
  }
}
