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
import { isUtf8 } from "node:buffer";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { errnoOf, ExpectedError, explainErrno } from "../errors.ts";
import { makePrivateFolder } from "../storage/private-folder.ts";
import { copyDatabase } from "../storage/sqlite.ts";
import { TEMPORARY_PREFIX } from "../vault/write/open-folder.ts";
import type { LocalVault } from "../vault/vault.ts";
import { byteName, bytesOfName, isPlainName, shownName, type ByteName } from "./byte-names.ts";
import { padding, tarEnd, tarHead, type TarHead } from "./tar.ts";

/** What is kept of a state folder besides its databases. What is left out can be made again: index, vectors, token, log. */
export const STATE_FILES = ["coffre.json"];
/** Folders of it with what may be the only copy of something. */
export const STATE_FOLDERS = ["rescued", "leftovers"];
export const STATE_DATABASES = ["history.sqlite", "queue.sqlite", "job.sqlite"];
/** The last thing in an archive; without it, something is missing. */
export const END_NAME = "coffre-backup.json";
/** In its place when the archive could not be finished: why. */
export const PROBLEM_NAME = "coffre-backup-problem.json";

const CHUNK = 256 * 1024;
const AUTHOR = { actor: "coffre", call: "backup", batch: null };

/** Looked at before others get a turn. */
const MOST_LOOKS = 200;

/** A folder of which all is sent, and what it is called in the archive. */
interface Source {
  readonly folder: string;
  readonly shown: string;
}

/** Something under a folder, as it was when it was looked at. */
interface Found {
  readonly source: Source;
  /** With `/`, from the folder. */
  readonly name: ByteName;
  readonly stat: BigIntStats;
}

/** The vault's own folder, and those of the state that are there. */
function sourcesOf({ root, state }: LocalVault): Source[] {
  const more = STATE_FOLDERS.map((name) => ({
    folder: path.join(state, name),
    shown: `state/${name}`,
  }));
  return [{ folder: root, shown: "vault" }, ...more.filter(({ folder }) => existsSync(folder))];
}

/**
 * A vault and what belongs to it, as a tar archive, while it is in use. Every file is sent as it is found; then, with all writers waiting,
 * databases are copied together with what changed meanwhile, and sent again: the later one of a name counts. So the whole is of one moment.
 * A failure ends the archive with {@link PROBLEM_NAME}.
 */
export async function* archiveOf(vault: LocalVault, now: Date): AsyncGenerator<Buffer> {
  makePrivateFolder(vault.state);
  const scratch = mkdtempSync(path.join(vault.state, "backup-"));
  const sent = new Map<ByteName, string>();
  try {
    for (const source of sourcesOf(vault))
      for (const found of everythingIn(source)) {
        await nextTurn();
        yield* sending(found, sent);
      }
    const last = await alone(vault, async () => copyChanged(vault, scratch, sent));
    for (const { head, file } of last.copies) yield* copied(head, file);
    const end = { version: 1, made: now.toISOString(), ...goneIn(last.gone) };
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
function* everythingIn(source: Source, folder: ByteName = ""): Generator<Found> {
  const place = placeOf({ source, name: folder });
  if (folder === "") yield { source, name: folder, stat: lstatSync(place, { bigint: true }) };
  const isVault = source.shown === "vault";
  const names = readdirSync(place, { encoding: "buffer" }).map(byteName);
  for (const each of names.toSorted()) {
    if (isVault && each.startsWith(TEMPORARY_PREFIX)) continue;
    const name = folder === "" ? each : `${folder}/${each}`;
    const inside = placeOf({ source, name });
    const stat = lstatSync(inside, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (stat.isDirectory()) {
      yield { source, name, stat };
      yield* everythingIn(source, name);
    } else if (stat.isFile() || stat.isSymbolicLink()) yield { source, name, stat };
  }
}

function placeOf({ source, name }: Pick<Found, "source" | "name">): Buffer {
  const folder = byteName(source.folder);
  return bytesOfName(name === "" ? folder : path.posix.join(folder, name));
}

/** Its name in the archive. */
function archived({ source, name }: Pick<Found, "source" | "name">): ByteName {
  return name === "" ? source.shown : `${source.shown}/${name}`;
}

/** Names of what was sent and removed since, of the vault's folder: as text, and as base64 those that are none. */
function goneIn(names: readonly ByteName[]): { gone: string[]; goneRaw: string[] } {
  const own = names.filter((name) => name.startsWith("vault/")).map((name) => name.slice(6));
  return {
    gone: own.filter(isPlainName).map(shownName),
    goneRaw: own
      .filter((name) => !isPlainName(name))
      .map((name) => bytesOfName(name).toString("base64")),
  };
}

/** Differs when a file may be another one. */
function versionOf({ ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs, mode].join(":");
}

function headOf(found: Found): TarHead {
  const { stat } = found;
  const common = {
    mode: Number(stat.mode & 0o7777n),
    modified: Number(stat.mtimeNs / 1000n) / 1000,
    size: 0,
  };
  const name = archived(found);
  if (stat.isDirectory()) return { ...common, ...named(`${name}/`), kind: "folder" };
  if (!stat.isSymbolicLink())
    return { ...common, ...named(name), kind: "file", size: Number(stat.size) };
  const target = readlinkSync(placeOf(found), { encoding: "buffer" });
  const raw = isUtf8(target) ? {} : { rawTarget: target };
  return { ...common, ...named(name), kind: "link", target: target.toString(), ...raw };
}

function named(name: ByteName): Pick<TarHead, "name" | "rawName"> {
  const raw = isPlainName(name) ? {} : { rawName: bytesOfName(name) };
  return { name: shownName(name), ...raw };
}

async function* sending(found: Found, sent: Map<ByteName, string>): AsyncGenerator<Buffer> {
  const { stat } = found;
  const name = archived(found);
  try {
    if (!stat.isFile()) {
      yield tarHead(headOf(found));
      sent.set(name, versionOf(stat));
      return;
    }
    const fd = openSync(placeOf(found), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const opened = fstatSync(fd, { bigint: true });
      yield* contentOf(headOf({ ...found, stat: opened }), fd);
      // Of the moment before it was read: what changed since is sent again.
      sent.set(name, versionOf(opened));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    // Gone, or another thing by now: the second look finds out.
    if (["ENOENT", "ELOOP", "ENOTDIR"].includes(errnoOf(error) ?? "")) return;
    throw explainErrno(error, shownName(name));
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
  sent: ReadonlyMap<ByteName, string>,
): Promise<{ copies: Copy[]; gone: ByteName[] }> {
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
  let looks = 0;
  for (const source of sourcesOf(vault))
    for (const found of everythingIn(source)) {
      // Writers wait, and nobody else.
      if ((looks += 1) % MOST_LOOKS === 0) await nextTurn();
      const name = archived(found);
      gone.delete(name);
      if (sent.get(name) === versionOf(found.stat)) continue;
      const head = headOf(found);
      const file = head.kind === "file" ? place() : null;
      if (file !== null) copyFileSync(placeOf(found), file);
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
