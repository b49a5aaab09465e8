import { setTimeout as pause } from "node:timers/promises";

import { errnoOf, ExpectedError } from "../../errors.ts";
import { DROP_FOLDER, isDropped, nameOf, parentOf, type VaultPath } from "../../vault/paths.ts";
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
    if ((await vault.find(DROP_FOLDER)).kind !== "folder") return;
    const listed = await Array.fromAsync(vault.walk(DROP_FOLDER));
    const files = listed.filter(({ isLink }) => !isLink);
    await this.#clearNotes(new Set(files.map(({ path }) => path)));
    const before = this.#waiting;
    this.#waiting = new Map();
    for (const { path } of files) {
      if (this.#stopped.signal.aborted) return;
      if (isErrorNote(path) || UNFINISHED.test(path)) continue;
      const signature = await this.#signatureOf(path);
      if (signature === null || (await this.#isGivenUp(path, signature))) continue;
      const known = before.get(path);
      const isSame = known?.signature === signature;
      const waiting = isSame ? known : { signature, since: performance.now() };
      if (performance.now() - waiting.since >= this.#quiet) await this.#take(path, signature);
      else this.#waiting.set(path, waiting);
    }
    if (this.#waiting.size > 0) this.#lookIn(this.#quiet / 2);
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

  async #signatureOf(path: VaultPath): Promise<string | null> {
    const found = await this.#options.vault.find(path);
    return found.kind === "file" ? found.version : null;
  }

  /** A file is tried once, and again when it changes or its error note is removed. */
  async #isGivenUp(path: VaultPath, signature: string): Promise<boolean> {
    const note = errorNotePath(path);
    const { vault } = this.#options;
    if ((await vault.find(note)).kind !== "file") return false;
    const { bytes } = await vault.readBytes(note, 10_000);
    return bytes.includes(versionLine(signature));
  }

  async #giveUp(path: VaultPath, signature: string, error: unknown): Promise<void> {
    const { vault } = this.#options;
    const why = error instanceof ExpectedError ? error.message : "Internal error; see the log.";
    const text = Buffer.from(errorNoteText(nameOf(path), signature, why));
    await vault.change(AUTHOR, async ({ writer, readWhole }) => {
      const note = errorNotePath(path);
      if ((await vault.find(note)).kind === "missing") await writer.create(note, text);
      else await writer.update(await readWhole(note), text);
    });
  }

  /** Removes the error notes of files that are gone. */
  async #clearNotes(files: ReadonlySet<VaultPath>): Promise<void> {
    const stale = [...files].filter(
      (path) => isErrorNote(path) && !files.has(path.slice(0, -ERROR_NOTE.length)),
    );
    for (const path of stale) await this.#remove(path);
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

/** The ending of an error note, which is called after its file and stands beside it. */
const ERROR_NOTE = ".error.md";

function errorNotePath(path: VaultPath): VaultPath {
  return path + ERROR_NOTE;
}

function isErrorNote(path: VaultPath): boolean {
  return path.endsWith(ERROR_NOTE);
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
