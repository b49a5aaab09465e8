import { setTimeout as pause } from "node:timers/promises";

import { errnoOf, ExpectedError } from "../../errors.ts";
import { uniqueName } from "../../text/slug.ts";
import {
  DROP_FOLDER,
  hasControls,
  isDropped,
  joinPath,
  nameOf,
  parentOf,
  type VaultPath,
} from "../../vault/paths.ts";
import type { Vault } from "../../vault/vault.ts";
import type { Ingest, Ingested } from "../ingest.ts";
import { tooLargeFile } from "../limits.ts";

export interface DropFolderOptions {
  readonly vault: Vault;
  readonly ingest: Ingest;
  /** Milliseconds that a file must stay unchanged before it is ingested; 3,000 by default. */
  readonly quiet?: number;
  readonly onIngested?: (ingested: Ingested) => void;
  /** Called with unexpected errors. */
  readonly onBug?: (error: unknown) => void;
}

const QUIET = 3000;
/** Milliseconds until a retry when the disk is full, or a file keeps changing. */
const RETRY_AFTER = 30_000;
/** Names that browsers and sync clients give to files they are still writing. */
const UNFINISHED = /\.(?:part|partial|crdownload|download|tmp|temp|filepart|swp)$/iu;
/** The ending of an error note, which is called after its file and stands beside it. */
const ERROR_NOTE = ".error.md";
/** What the usual disks accept. */
const MAX_NAME_BYTES = 255;
const AUTHOR = { actor: "drop", call: "ingest", batch: null };

/** A file that may still change. */
interface Waiting {
  readonly signature: string;
  /** When this version was first seen, on the clock of this process. */
  readonly since: number;
}

/**
 * Ingests the files in `vault/drop/`. A file is ingested when it has stopped changing, and leaves the folder in the same change that
 * creates its note; after a crash in between, the next start recognises it by its hash. One that cannot be ingested stays, with an error
 * note beside it.
 */
export class DropFolder {
  readonly #options: DropFolderOptions;
  readonly #quiet: number;
  readonly #stopped = new AbortController();
  #waiting = new Map<VaultPath, Waiting>();
  #problems = new Map<VaultPath, string>();
  #running: Promise<void> | null = null;
  #isAsked = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: DropFolderOptions) {
    this.#options = options;
    this.#quiet = options.quiet ?? QUIET;
  }

  /** Checks the folder, and ingests what is ready. */
  look(): void {
    if (this.#stopped.signal.aborted) return;
    this.#isAsked = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#isAsked) this.look();
    });
  }

  /** The files that cannot be ingested, and why. */
  get problems(): ReadonlyMap<VaultPath, string> {
    return this.#problems;
  }

  /** Resolves when no file is left that could be ingested. */
  async settled(): Promise<void> {
    while (this.#running !== null || this.#timer !== null) {
      if (this.#running === null) await pause(10);
      else await this.#running;
    }
  }

  /** Aborts a running conversion; its file is converted after the next start. */
  async close(): Promise<void> {
    this.#stopped.abort(new ExpectedError("busy", "The service is ending."));
    this.#lookIn(null);
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#lookIn(null);
    while (this.#isAsked && !this.#stopped.signal.aborted) {
      this.#isAsked = false;
      try {
        await this.#lookOnce();
      } catch (error) {
        // Errors of the system too: an unmounted disk comes back.
        if (!(error instanceof ExpectedError) && errnoOf(error) === null)
          this.#options.onBug?.(error);
        this.#lookIn(RETRY_AFTER);
      }
    }
  }

  async #lookOnce(): Promise<void> {
    const { vault } = this.#options;
    const before = this.#waiting;
    this.#waiting = new Map();
    this.#problems = new Map();
    if ((await vault.find(DROP_FOLDER)).kind !== "folder") return;
    const listed = await Array.fromAsync(vault.walk(DROP_FOLDER));
    const files = listed.filter(({ isLink }) => !isLink).map(({ path }) => path);
    const notes = files.filter((path) => path.endsWith(ERROR_NOTE));
    const dropped = files.filter((path) => !path.endsWith(ERROR_NOTE));
    const standing = new Set(dropped.map(errorNoteOf));
    for (const path of notes.filter((note) => !standing.has(note)))
      await this.#apart(path, async () => this.#remove(path));
    for (const path of dropped) {
      if (this.#stopped.signal.aborted) return;
      if (!UNFINISHED.test(path))
        await this.#apart(path, async () => this.#lookAt(path, before.get(path)));
    }
    if (this.#waiting.size > 0) this.#lookIn(this.#quiet / 2);
  }

  /** What goes wrong with one file is noted, and holds up no other. */
  async #apart(path: VaultPath, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      this.#problems.set(path, error instanceof Error ? error.message : String(error));
      if (!(error instanceof ExpectedError) && errnoOf(error) === null)
        this.#options.onBug?.(error);
      this.#lookIn(RETRY_AFTER);
    }
  }

  async #lookAt(path: VaultPath, known: Waiting | undefined): Promise<void> {
    const found = await this.#options.vault.find(path);
    if (found.kind !== "file") return;
    const { version: signature } = found;
    if (await this.#isGivenUp(path, signature)) {
      this.#problems.set(path, `${nameOf(errorNoteOf(path))} beside it says why`);
      return;
    }
    const isSame = known?.signature === signature;
    const waiting = isSame ? known : { signature, since: performance.now() };
    if (performance.now() - waiting.since >= this.#quiet) await this.#take(path, signature);
    else this.#waiting.set(path, waiting);
  }

  #lookIn(milliseconds: number | null): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (milliseconds === null || this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.look();
    }, milliseconds);
    this.#timer.unref();
  }

  async #take(path: VaultPath, signature: string): Promise<void> {
    const { ingest, onIngested, onBug } = this.#options;
    try {
      const bytes = await this.#bytesOf(path);
      const ingested = await ingest.ingest(
        { name: nameOf(path), bytes },
        { actor: AUTHOR.actor, from: { path, signature }, signal: this.#stopped.signal },
      );
      await this.#clearFolder(parentOf(path));
      onIngested?.(ingested);
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      const code = error instanceof ExpectedError ? error.code : null;
      if (code === "busy" || code === "disk_full" || code === "not_found") {
        if (code !== "not_found" && error instanceof Error) this.#problems.set(path, error.message);
        this.#lookIn(code === "not_found" ? this.#quiet : RETRY_AFTER);
        return;
      }
      if (!(error instanceof ExpectedError)) onBug?.(error);
      await this.#giveUp(path, signature, error);
    }
  }

  async #bytesOf(path: VaultPath): Promise<Buffer> {
    const { limits } = this.#options.ingest;
    const { bytes, size } = await this.#options.vault.readBytes(path, limits.bytes + 1);
    if (size > limits.bytes) throw tooLargeFile(nameOf(path), limits.bytes, size);
    return bytes;
  }

  /** A file is tried once, and again when it changes or its error note is removed. */
  async #isGivenUp(path: VaultPath, signature: string): Promise<boolean> {
    const note = errorNoteOf(path);
    const { vault } = this.#options;
    if ((await vault.find(note)).kind !== "file") return false;
    const { bytes } = await vault.readBytes(note, 10_000);
    return bytes.includes(versionLine(signature));
  }

  async #giveUp(path: VaultPath, signature: string, error: unknown): Promise<void> {
    const { vault } = this.#options;
    const why = error instanceof ExpectedError ? error.message : "Internal error; see the log.";
    const text = Buffer.from(errorNoteText(nameOf(path), signature, why));
    this.#problems.set(path, why);
    await vault.change(AUTHOR, async ({ writer, readWhole }) => {
      const note = errorNoteOf(path);
      if ((await vault.find(note)).kind === "missing") await writer.create(note, text);
      else await writer.update(await readWhole(note), text);
    });
  }

  /** Removes a dropped folder when all in it is ingested. */
  async #clearFolder(folder: VaultPath): Promise<void> {
    if (!isDropped(folder) || (await this.#options.vault.list(folder)).length > 0) return;
    await this.#remove(folder);
    await this.#clearFolder(parentOf(folder));
  }

  async #remove(path: VaultPath): Promise<void> {
    await this.#options.vault.change(AUTHOR, async ({ writer }) => writer.remove(path));
  }
}

/**
 * The error note of a file. A name that cannot be made longer, or has characters that no new file may have, is shortened and made different
 * from others by its hash.
 */
function errorNoteOf(path: VaultPath): VaultPath {
  const name = nameOf(path);
  const isTooLong = Buffer.byteLength(name + ERROR_NOTE) > MAX_NAME_BYTES;
  if (!isTooLong && !hasControls(path)) return path + ERROR_NOTE;
  const start = name.slice(0, 40).toWellFormed();
  return joinPath(parentOf(path), uniqueName(start, path) + ERROR_NOTE);
}

/** @param signature of the version that was tried: the same one is not tried again */
function errorNoteText(name: string, signature: string, why: string): string {
  return `# ${name} could not be ingested

${why}

The file stays here unchanged. Replace it by a file that can be read, or remove it; this note is then removed too. To try the same file again, remove this note.

${versionLine(signature)}
`;
}

function versionLine(signature: string): string {
  return `<!-- version ${signature} -->`;
}
