import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";

import { z } from "zod";

import { ExpectedError, explainErrno, isErrorCode } from "../errors.ts";
import { makePrivateFolder } from "../storage/private-folder.ts";
import { END_NAME, PROBLEM_NAME, STATE_DATABASES, STATE_FILES, STATE_FOLDERS } from "./archive.ts";
import { byteName, bytesOfName, type ByteName } from "./byte-names.ts";
import { damagedArchive, type TarHead } from "./tar.ts";
import { untar, type TarEntry } from "./untar.ts";

/** What a finished archive says of itself. */
const End = z.object({
  version: z.literal(1),
  made: z.string(),
  /** Sent, and removed before the end. */
  gone: z.array(z.string()),
  /** As base64, those whose names are not UTF-8. */
  goneRaw: z.array(z.string()).default([]),
});
export type BackupEnd = z.infer<typeof End>;

const Problem = z.object({ code: z.string(), detail: z.string() });

export interface RestorePlace {
  /** The folder for the notes, and the one for history and settings. Both must be empty, or missing. */
  readonly root: string;
  readonly state: string;
}

export interface Restored {
  readonly files: number;
  readonly bytes: number;
  /** When the backup was made, as ISO. */
  readonly made: string;
}

/**
 * Reads an archive to its end without writing anything.
 * @throws what kept it from being finished, or `invalid_argument` when it is not complete
 */
export async function checkArchive(archive: AsyncIterable<Uint8Array>): Promise<Restored> {
  let [files, bytes] = [0, 0];
  let end: BackupEnd | null = null;
  for await (const { head, content } of untar(archive)) {
    if (head.name === END_NAME || head.name === PROBLEM_NAME) end = await endOf(head, content);
    else if (head.kind === "file") files += 1;
    bytes += head.size;
  }
  if (end === null) throw damagedArchive("it is not complete");
  return { files, bytes, made: end.made };
}

/** Unpacks an archive into empty folders. When it cannot be done whole, nothing of it is left. */
export async function restoreArchive(
  archive: AsyncIterable<Uint8Array>,
  { root, state }: RestorePlace,
  onProgress: (files: number, bytes: number) => void,
): Promise<Restored> {
  const targets = [root, state];
  for (const folder of targets) refuseUsed(folder);
  const isNew = targets.map((folder) => !existsSync(folder));
  try {
    mkdirSync(root, { recursive: true });
    makePrivateFolder(state);
    return await new Unpacking({ root, state }, onProgress).run(archive);
  } catch (error) {
    for (const [at, folder] of targets.entries()) empty(folder, isNew[at] === true);
    throw explainErrno(error, root);
  }
}

function refuseUsed(folder: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) return;
    throw explainErrno(error, folder);
  }
  if (names.length === 0) return;
  throw new ExpectedError(
    "already_exists",
    `A backup is restored into an empty folder only, and ${folder} holds ${names.length} things. Name another one with --vault, and its state with --state.`,
  );
}

function empty(folder: string, isNew: boolean): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    rmSync(path.join(folder, name), { recursive: true, force: true });
  if (isNew) rmSync(folder, { recursive: true, force: true });
}

class Unpacking {
  readonly #place: RestorePlace;
  readonly #onProgress: (files: number, bytes: number) => void;
  /** Made at the end: nothing may be written through them. */
  readonly #links = new Map<ByteName, Buffer>();
  /** Their modes and times are set at the end, since what is put into them changes those. */
  readonly #folders = new Map<ByteName, TarHead>();
  readonly #files = new Set<ByteName>();
  #bytes = 0;

  constructor(place: RestorePlace, onProgress: (files: number, bytes: number) => void) {
    this.#place = place;
    this.#onProgress = onProgress;
  }

  async run(archive: AsyncIterable<Uint8Array>): Promise<Restored> {
    let end: BackupEnd | null = null;
    for await (const { head, content } of untar(archive)) {
      if (head.name === END_NAME || head.name === PROBLEM_NAME) end = await endOf(head, content);
      else await this.#unpack({ head, content });
    }
    if (end === null) throw damagedArchive("it is not complete");
    return this.#finish(end);
  }

  async #unpack({ head, content }: TarEntry): Promise<void> {
    const name = this.#placeOf(head);
    const place = bytesOfName(name);
    // A later one of the same name counts.
    this.#links.delete(name);
    this.#files.delete(name);
    if (head.kind === "folder") {
      if (!this.#folders.has(name)) rmSync(place, { force: true, recursive: true });
      mkdirSync(place, { recursive: true });
      this.#folders.set(name, head);
      return;
    }
    if (this.#folders.has(name)) this.#removeFolder(name);
    rmSync(place, { force: true, recursive: true });
    if (head.kind === "link") {
      this.#links.set(name, head.rawTarget ?? Buffer.from(head.target ?? ""));
      return;
    }
    mkdirSync(bytesOfName(path.dirname(name)), { recursive: true });
    const fd = openSync(place, "wx", 0o600);
    try {
      for await (const chunk of content) {
        for (let at = 0; at < chunk.length;) at += writeSync(fd, chunk, at);
        this.#bytes += chunk.length;
        this.#onProgress(this.#files.size, this.#bytes);
      }
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    utimesSync(place, head.modified / 1000, head.modified / 1000);
    chmodSync(place, head.mode);
    this.#files.add(name);
  }

  #removeFolder(name: ByteName): void {
    for (const known of [this.#folders, this.#files, this.#links])
      for (const each of known.keys())
        if (each === name || each.startsWith(name + path.sep)) known.delete(each);
  }

  #finish({ made, gone, goneRaw }: BackupEnd): Restored {
    const names = [...gone, ...goneRaw.map((name) => Buffer.from(name, "base64"))];
    for (const each of names) {
      const name = this.#inside(this.#place.root, byteName(each));
      this.#removeFolder(name);
      rmSync(bytesOfName(name), { recursive: true, force: true });
    }
    for (const [name, target] of this.#links) symlinkSync(target, bytesOfName(name));
    // The innermost first: making one changes the time of that around it.
    for (const [name, { mode, modified }] of [...this.#folders].toReversed()) {
      chmodSync(bytesOfName(name), mode);
      utimesSync(bytesOfName(name), modified / 1000, modified / 1000);
    }
    return { files: this.#files.size, bytes: this.#bytes, made };
  }

  #placeOf({ name: shown, rawName, kind }: TarHead): ByteName {
    const name = byteName(rawName ?? shown);
    const [top = "", ...rest] = name.replace(/\/$/u, "").split("/");
    const { root, state } = this.#place;
    if (top === "vault")
      return rest.length === 0 ? byteName(root) : this.#inside(root, rest.join("/"));
    const [file = ""] = rest;
    const isKnown =
      rest.length === 1 && kind === "file"
        ? [...STATE_DATABASES, ...STATE_FILES].includes(file)
        : STATE_FOLDERS.includes(file);
    if (top === "state" && isKnown) return this.#inside(state, rest.join("/"));
    throw damagedArchive(`it holds ${JSON.stringify(shown)}`);
  }

  #inside(root: string, name: ByteName): ByteName {
    const isPlain = name.split("/").every((part) => !["", ".", ".."].includes(part));
    if (!isPlain || name.includes("\0")) throw damagedArchive(`it holds ${JSON.stringify(name)}`);
    return path.join(byteName(root), name);
  }
}

async function endOf(head: TarHead, content: AsyncIterable<Uint8Array>): Promise<BackupEnd> {
  const said: unknown = JSON.parse(await text(content));
  if (head.name === END_NAME) return End.parse(said);
  const { code, detail } = Problem.parse(said);
  throw new ExpectedError(isErrorCode(code) ? code : "unavailable", detail);
}
