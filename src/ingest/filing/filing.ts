import { ExpectedError } from "../../errors.ts";
import { localDay } from "../../text/local-time.ts";
import { slugOf } from "../../text/slug.ts";
import { extensionOf, isMarkdown, joinPath, showPath, type VaultPath } from "../../vault/paths.ts";
import type { CallersVault, VaultWriter } from "../../vault/vault.ts";
import {
  asBuffer,
  baseOf,
  IMAGE_EXTENSIONS,
  stemOf,
  withImageAddresses,
} from "../convert/converted.ts";
import type { Failure, IngestedJson } from "../contract.ts";
import { freeName } from "./free-name.ts";
import type { Gathered } from "./gather.ts";
import type { KnownSources } from "./known-sources.ts";
import { attachmentList, noteText } from "./note.ts";

/** A file of the vault itself, which is removed when its note is written. */
export interface FromVault {
  readonly path: VaultPath;
  /** Of the version that was read: another one is not removed. */
  readonly signature: string;
}

export interface FilingOptions {
  readonly vault: CallersVault;
  readonly known: KnownSources;
  readonly folder: VaultPath;
  readonly keepOriginal: boolean;
  readonly now: Date;
  readonly from?: FromVault | undefined;
}

/** What became of a file. */
export interface Filed {
  readonly name: string;
  readonly type: string;
  readonly title: string;
  /** What was written: the note or image first, then its pictures and the original. Empty when it was there before. */
  readonly paths: readonly VaultPath[];
  /** The note or image that was made of the same file before. */
  readonly duplicateOf: VaultPath | null;
  readonly notices: readonly string[];
  readonly inside: readonly Filed[];
  readonly failures: readonly Failure[];
}

/** The same for programs, with paths as shown. */
export function ingestedJson({
  paths,
  duplicateOf,
  inside,
  failures,
  ...same
}: Filed & Pick<IngestedJson, "history">): IngestedJson {
  return {
    ...same,
    paths: paths.map((path) => showPath(path)),
    duplicate_of: duplicateOf === null ? null : showPath(duplicateOf),
    ...(inside.length === 0 ? {} : { inside: inside.map(ingestedJson) }),
    ...(failures.length === 0 ? {} : { failures }),
  };
}

/** A larger file is moved beside its note: in the history it would displace others. */
const MAX_IN_HISTORY = 10 * 1024 * 1024;

/** Writes what was gathered into the vault: all of it, or nothing. Called with the vault's lock. */
export async function fileGathered(
  gathered: Gathered,
  writer: VaultWriter,
  options: FilingOptions,
): Promise<Filed> {
  const filing = new Filing(writer, options);
  try {
    return await filing.run(gathered);
  } catch (error) {
    await filing.takeBack();
    throw error;
  }
}

class Filing {
  readonly #writer: VaultWriter;
  readonly #options: FilingOptions;
  /** Notes and images of this very batch: an archive may hold a file twice. */
  readonly #made = new Map<string, VaultPath>();
  /** The file of the vault that is ingested, until it was moved. */
  #from: FromVault | undefined;
  /** Where notes are put: an export has a folder of its own. */
  #folder: VaultPath;

  constructor(writer: VaultWriter, options: FilingOptions) {
    this.#writer = writer;
    this.#options = options;
    this.#from = options.from;
    this.#folder = options.folder;
  }

  async run(gathered: Gathered): Promise<Filed> {
    // Once for all files in it: this process holds the write lock.
    await this.#options.known.refresh();
    if (this.#from !== undefined) await this.#expectUnchanged(this.#from);
    const filed = await this.#file(gathered, null);
    if (this.#from === undefined) return filed;
    // Only an archive is not moved yet: it has no note of its own.
    if (filed.duplicateOf === null && this.#isTooMuchToRemove(gathered)) {
      const extension = originalExtension(gathered) ?? ".bin";
      const base = await this.#freeStem(stemOf(gathered.file.name), [extension]);
      const archive = await this.#keep(base + extension, gathered.file.bytes, true);
      return { ...filed, paths: [...filed.paths, archive] };
    }
    await this.#writer.writer.remove(this.#from.path);
    return filed;
  }

  /** Too large for the history, or with files in it that could not be read: it is kept beside its note. */
  #isTooMuchToRemove({ file, failures }: Gathered): boolean {
    return file.bytes.length > MAX_IN_HISTORY || failures.length > 0;
  }

  /** After a failure, before anything was moved or removed: removes what was created. */
  async takeBack(): Promise<void> {
    const { writer } = this.#writer;
    for (const change of [...writer.done].toReversed()) {
      if (change.kind === "create") await writer.remove(change.path);
    }
  }

  async #expectUnchanged({ path: place, signature }: FromVault): Promise<void> {
    if ((await this.#options.vault.get(place)).version === signature) return;
    throw new ExpectedError(
      "busy",
      `${showPath(place)} was changed while it was read; it is read again later.`,
    );
  }

  async #file(gathered: Gathered, within: string | null): Promise<Filed> {
    const inside: Filed[] = [];
    const outer = this.#folder;
    if (gathered.folder !== undefined)
      this.#folder = joinPath(outer, slugOf(gathered.folder, "export"));
    for (const each of gathered.inside) inside.push(await this.#file(each, gathered.file.name));
    this.#folder = outer;
    const { file, kind, title, failures, notices } = gathered;
    const common = { name: file.name, type: kind.mimeType, title, notices, inside, failures };
    // An archive is only what is in it: the same again when all of that is.
    if (gathered.converted === null && kind.kind !== "image") {
      const isKnown = inside.every(({ duplicateOf }) => duplicateOf !== null);
      const before = isKnown ? (inside[0]?.duplicateOf ?? null) : null;
      return { ...common, paths: inside.flatMap(({ paths }) => paths), duplicateOf: before };
    }
    const duplicateOf = this.#made.get(gathered.sha256) ?? (await this.#before(gathered));
    if (duplicateOf !== null) return { ...common, paths: [], duplicateOf };
    const paths = await this.#place(gathered, inside, within);
    if (paths[0] !== undefined) this.#made.set(gathered.sha256, paths[0]);
    return { ...common, paths, duplicateOf: null };
  }

  async #before({ sha256, converted, file }: Gathered): Promise<VaultPath | null> {
    const { known } = this.#options;
    return converted === null
      ? known.copyOf(file.bytes)
      : known.noteOf(sha256, converted.isPartial === true);
  }

  async #place(
    gathered: Gathered,
    inside: readonly Filed[],
    within: string | null,
  ): Promise<VaultPath[]> {
    const { file, kind, converted, title } = gathered;
    const isOuter = within === null;
    if (converted === null) {
      const types: Readonly<Record<string, string>> = IMAGE_EXTENSIONS;
      // Animated PNG has a type of its own.
      const extension = types[kind.mimeType] ?? ".png";
      const base = await this.#freeStem(stemOf(file.name), [extension]);
      return [await this.#keep(base + extension, file.bytes, isOuter)];
    }
    const extension = originalExtension(gathered);
    const isKept = extension !== null && this.#isOriginalKept(gathered, isOuter);
    const name = kind.kind === "mail" ? title : stemOf(file.name);
    const base = await this.#freeStem(name, [".md", ...(isKept ? [extension] : [])]);
    const original = isKept ? base + extension : null;
    const images = new Map<string, VaultPath>();
    for (const { name: image, bytes } of converted.images)
      images.set(image, await this.#create(`${base}-${image}`, bytes));
    const markdown = withImageAddresses(converted.markdown, (image) => {
      const place = images.get(image);
      return place === undefined ? undefined : baseOf(place);
    });
    const { now } = this.#options;
    const list = attachmentList(inside, gathered.failures, this.#folder);
    // A drawing is shown; what stands in it is only for the search.
    const picture = kind.kind === "svg" && original !== null ? `![](${original})\n\n` : "";
    const body = picture + markdown + list;
    const text = noteText(gathered, { markdown: body, now, original, within });
    const note = await this.#create(`${base}.md`, Buffer.from(text));
    // Last: until the note is there, the file stays where it was.
    const kept = original === null ? [] : [await this.#keep(original, file.bytes, isOuter)];
    return [note, ...images.values(), ...kept];
  }

  /** On request, of a drawing, when it could not be read, and when it is too much to remove from the vault. */
  #isOriginalKept(gathered: Gathered, isOuter: boolean): boolean {
    const { converted, kind } = gathered;
    const isUnread = kind.kind === "audio" && converted?.isPartial === true;
    if (this.#options.keepOriginal || isUnread || kind.kind === "svg") return true;
    return isOuter && this.#from !== undefined && this.#isTooMuchToRemove(gathered);
  }

  /** Creates a file; the same bytes under the same name, which a killed process left, are used again. */
  async #create(name: string, bytes: Uint8Array): Promise<VaultPath> {
    const { vault } = this.#options;
    const folder = this.#folder;
    const place = joinPath(folder, name);
    const found = await vault.find(place);
    if (found.kind === "file" && found.size === bytes.length) {
      const present = await vault.readBytes(place, bytes.length);
      if (present.bytes.equals(bytes)) return place;
    }
    const extension = extensionOf(name);
    const free =
      found.kind === "missing"
        ? place
        : joinPath(folder, (await this.#freeStem(stemOf(name), [extension])) + extension);
    await this.#writer.writer.create(free, asBuffer(bytes));
    return free;
  }

  /** The day and the title, as a name that is free with each of these extensions: a note and its original share it. */
  async #freeStem(title: string, extensions: readonly string[]): Promise<string> {
    const { vault, now } = this.#options;
    return freeName(vault, this.#folder, datedName(title, now), extensions);
  }

  /** Puts the bytes of a file beside its note; a file that comes from the vault is moved there as it is. */
  async #keep(name: string, bytes: Uint8Array, isOuter: boolean): Promise<VaultPath> {
    const from = isOuter ? this.#from : undefined;
    if (from === undefined) return this.#create(name, bytes);
    const to = joinPath(this.#folder, name);
    const moved = await this.#writer.writer.move(from.path, to);
    this.#from = undefined;
    return moved;
  }
}

/** The day of `now` and the words of a title; a title that begins with a day keeps its own. */
export function datedName(title: string, now: Date): string {
  const slug = slugOf(title, "file");
  return /^\d{4}-\d\d-\d\d(?:-|$)/u.test(slug) ? slug : `${localDay(now)}-${slug}`;
}

/** The original's own extension; null for markdown, whose note has all of it. */
function originalExtension({ file, kind }: Gathered): string | null {
  if (kind.kind === "markdown") return null;
  const extension = extensionOf(baseOf(file.name));
  const isUsable = /^\.[a-z0-9]{1,8}$/u.test(extension) && !isMarkdown(`x${extension}`);
  return isUsable ? extension : ".bin";
}
