import path from "node:path";

import { eraseTasks } from "../agents/queue/erase-tasks.ts";
import { ExpectedError } from "../errors.ts";
import { isIndexed } from "../index/search-index.ts";
import { isTextBytes } from "../text/utf8.ts";
import { inJson, standsIn, type Erasure, type Needles } from "../vault/history/erase-history.ts";
import { isUnder, nameOf, parsePath, showPath, type VaultPath } from "../vault/paths.ts";
import type { LocalVault } from "../vault/vault.ts";
import { ClosedFiles, originalOf, type ReadClosed } from "./closed-files.ts";
import { cleanName, SHORTEST, without } from "./cut-out.ts";
import { erasePreviews, PREVIEWS } from "./erase-previews.ts";
import { eraseProposals } from "./erase-proposals.ts";
import { LongerNames } from "./longer-names.ts";
import { fileHolds, filesUnder, readOr } from "./raw-files.ts";
import { compactAll, eraseFiles, eraseVectors, findInState } from "./state-bytes.ts";

const AUTHOR = { actor: "coffre", call: "forget", batch: null };
/** Lines that are looked for after a file was removed: long ones are of it alone. */
const PROBE_LENGTH = 16;
const MOST_PROBES = 50;

/** A path of the vault, or a text. Undecided: a path when something is, or was, at it. */
export interface ForgetTarget {
  readonly value: string;
  readonly as: "path" | "text" | null;
}

/** Where something stands. */
export interface Standing {
  readonly as: "path" | "text";
  /** What is looked for, a path as `vault/…`. */
  readonly value: string;
  /** Files of the vault, inbox and drop included: removed whole, or only the text in them. */
  readonly files: readonly { readonly path: string; readonly whole: boolean }[];
  /** Files and folders in whose names a text stands: it is cut out of them. */
  readonly names: readonly string[];
  /** Of the files, how many the index has. */
  readonly indexed: number;
  readonly history: { readonly changes: number; readonly versions: number };
  readonly queue: number;
  /** Changes that wait for a yes, with copies of their own. */
  readonly previews: number;
  readonly logLines: number;
  /** Other files of the state folder. */
  readonly state: readonly string[];
  /** Files in the vault's folder that are no part of the vault, such as `.git`: they are left. */
  readonly untouched: readonly string[];
  /** What could not be read, so it may stand there: from the vault's folder, and whole paths in the state folder. */
  readonly unread: readonly string[];
  /** Kept versions of compressed files that could not be read, so it may stand in them. */
  readonly unreadVersions: number;
}

export interface Forgotten extends Standing {
  readonly vectors: number;
  /** Where it still stands after all was removed; empty when nowhere. */
  readonly left: readonly string[];
}

export interface ForgettingOptions {
  readonly vault: LocalVault;
  /** Makes the index again from the files, without anything of before. */
  readonly rebuildIndex: () => Promise<void>;
  readonly readClosed: ReadClosed;
}

interface Found {
  readonly standing: Standing;
  readonly erasure: Erasure;
  /** Cut out of notes and names. */
  readonly texts: readonly string[];
  /** What is removed from queue, log and other files of the state folder. */
  readonly needles: Needles;
  /** What is looked for at the end. */
  readonly probes: Needles;
}

/** Removes for good what must not exist: from files, history, index, vectors, queue and log. */
export class Forgetting {
  readonly #vault: LocalVault;
  readonly #rebuildIndex: () => Promise<void>;
  readonly #readClosed: ReadClosed;
  /** Of the text that was looked for last. */
  #closed: ClosedFiles | null = null;

  constructor({ vault, rebuildIndex, readClosed }: ForgettingOptions) {
    this.#vault = vault;
    this.#rebuildIndex = rebuildIndex;
    this.#readClosed = readClosed;
  }

  /** Where it stands; changes nothing. */
  async find(target: ForgetTarget): Promise<Standing> {
    this.#closed = null;
    return (await this.#find(target)).standing;
  }

  /** Removes it everywhere, and looks for it in the bytes of everything that is kept. */
  async erase(target: ForgetTarget): Promise<Forgotten> {
    const found = await this.#find(target);
    const { erasure, texts, needles, probes } = found;
    const { state } = this.#vault;
    const isPath = found.standing.as === "path";
    // First: a running one refuses before anything is removed.
    eraseTasks(state, needles, false);
    await erasePreviews(state, found, false);
    const quoted = { texts: [...needles.texts, ...probes.texts], but: needles.but ?? [] };
    // What it removed is no longer there to be cleaned.
    const { standing } = (await eraseProposals(this.#vault, quoted, isPath))
      ? await this.#find(target)
      : found;
    await this.#eraseFiles(standing, needles.texts);
    if (!isPath) await this.#rename(texts);
    await this.#vault.finishLateWrites();
    await this.#vault.erase(erasure, false);
    await this.#rebuildIndex();
    const vectors = eraseVectors(state);
    eraseFiles(state, needles, false);
    compactAll(state);
    const { left, unread } = await this.#left(probes);
    const unsearched = new Set([...standing.unread, ...unread]);
    return { ...standing, vectors, left, unread: [...unsearched] };
  }

  async #find({ value, as }: ForgetTarget): Promise<Found> {
    if (as !== "text") {
      const found = await this.#findPath(value, as === "path");
      if (found !== null) return found;
    }
    return this.#findText(value);
  }

  async #findText(value: string): Promise<Found> {
    if (value.length < SHORTEST)
      throw new ExpectedError(
        "invalid_argument",
        `${JSON.stringify(value)} has fewer than ${SHORTEST} characters and would be found in too much; give more of the text.`,
      );
    const forms = [value, value.normalize("NFC"), value.normalize("NFD")];
    // As it stands in JSON too: in the log, and in such files of the vault.
    const texts = [
      ...new Set([...forms, ...forms.map((form) => JSON.stringify(form).slice(1, -1))]),
    ];
    const needles = texts.map(bufferOf);
    const closed =
      this.#closed?.value === value ? this.#closed : new ClosedFiles(value, this.#readClosed);
    this.#closed = closed;
    const files: { path: string; whole: boolean }[] = [];
    const known = new Set<string>();
    const [unlooked, originals] = [new Set<string>(), new Set<string>()];
    let indexed = 0;
    for await (const { path: file } of this.#vault.walk("")) {
      const bytes = await this.#bytesOf(file);
      // No path leads to a name that is not UTF-8: its bytes are looked at below.
      if (bytes === null) continue;
      known.add(file);
      const isShown = needles.some((needle) => bytes.includes(needle));
      if (isShown && (await this.#vault.isGenerated(file))) continue;
      const verdict = await closed.look(file, bytes);
      if (!isShown && verdict === "unknown") unlooked.add(file);
      if (!isShown && verdict !== "holds") continue;
      const original = originalOf(file, bytes);
      if (original !== null) originals.add(original);
      // Cut out of an encoded mail, it may stand there a second time.
      files.push({ path: showPath(file), whole: !isTextBytes(bytes) || verdict !== null });
      if (isIndexed(file)) indexed += 1;
    }
    const unreadVersions = await closed.lookInHistory(this.#vault);
    const { holds } = closed;
    const target = { erasure: { texts: needles, holds }, needles: { texts: needles, holds } };
    // What a note was made from says the same, also where nothing here can hear or see it.
    for (const original of originals)
      if (known.has(original) && !files.some(({ path: file }) => file === showPath(original)))
        unlooked.add(original);
    const rest = await this.#inState(target);
    const others = this.#others(target.needles, known);
    const standing: Standing = {
      as: "text",
      value,
      files,
      names: (await this.#named(texts)).map((each) => showPath(each)),
      indexed,
      ...rest,
      untouched: others.holding,
      unread: [...others.unread, ...rest.unread, ...unlooked],
      unreadVersions,
    };
    return { standing, ...target, texts, probes: target.needles };
  }

  /** What the state folder holds of it. */
  async #inState(target: {
    readonly erasure: Erasure;
    readonly needles: Needles;
  }): Promise<Pick<Standing, "history" | "queue" | "previews" | "logLines" | "state" | "unread">> {
    const { state } = this.#vault;
    const { erasure, needles } = target;
    const { lines, files, unread } = eraseFiles(state, needles, true);
    return {
      history: await this.#vault.erase(erasure, true),
      queue: eraseTasks(state, needles, true),
      previews: await erasePreviews(state, target, true),
      logLines: lines,
      // Those of previews go with them.
      state: files.filter((name) => name.split(path.sep)[0] !== PREVIEWS),
      unread: unread.map((name) => path.join(state, name)),
    };
  }

  /** Files in the vault's folder that are no part of the vault, and hold it in their bytes or their name. */
  #others(needles: Needles, known: ReadonlySet<string>): { holding: string[]; unread: string[] } {
    const { files, unread } = filesUnder(this.#vault.root);
    const missed = [...unread];
    const others = files.filter(({ place, inside, name }) => {
      const shown = name.split(path.sep).join("/").normalize("NFC");
      if (known.has(shown) || shown === "tree.md") return false;
      if (needles.texts.some((text) => inside.includes(text))) return true;
      return readOr(() => fileHolds(place, needles), name, missed) === true;
    });
    return { holding: others.map(({ name }) => name), unread: missed };
  }

  /** Null for a file that cannot be read. */
  async #bytesOf(file: VaultPath): Promise<Buffer | null> {
    try {
      return (await this.#vault.readBytes(file, Number.MAX_SAFE_INTEGER)).bytes;
    } catch (error) {
      if (error instanceof ExpectedError) return null;
      throw error;
    }
  }

  /** Null when nothing is, or was, at the path. */
  async #findPath(value: string, isMeant: boolean): Promise<Found | null> {
    const erased = pathIn(value, isMeant);
    if (erased === null) return null;
    const there = await this.#vault.find(erased);
    const history = await this.#vault.erase({ path: erased }, true);
    if (there.kind === "missing" && history.changes === 0) {
      if (!isMeant) return null;
      throw new ExpectedError("not_found", `Nothing is at ${showPath(erased)}, and nothing was.`);
    }
    const [files, others]: [VaultPath[], VaultPath[]] = [[], []];
    for await (const { path: file } of this.#vault.walk(""))
      (isUnder(file, erased) ? files : others).push(file);
    const shown = showPath(erased);
    const longer = new LongerNames(erased);
    for (const other of others) longer.addPath(other);
    const probes = await this.#probesOf(erased, { files, others, longer });
    longer.addState(this.#vault.state);
    const but = longer.all.flatMap((name) => [name, showPath(name)]).map(bufferOf);
    const needles = inState({ texts: [Buffer.from(shown)], but });
    const target = { erasure: { path: erased }, needles };
    const standing: Standing = {
      as: "path",
      value: shown,
      files: files.map((file) => ({ path: showPath(file), whole: true })),
      names: [],
      indexed: files.filter((file) => isIndexed(file)).length,
      ...(await this.#inState(target)),
      untouched: [],
      unreadVersions: 0,
    };
    return { standing, ...target, texts: [shown], probes: { texts: probes, but } };
  }

  /** What stands in these files and in no other: its lines, and the path unless another one holds it. */
  async #probesOf(
    erased: VaultPath,
    from: {
      readonly files: readonly VaultPath[];
      readonly others: readonly VaultPath[];
      /** Gets what the other files mention. */
      readonly longer: LongerNames;
    },
  ): Promise<Buffer[]> {
    const { files, others, longer } = from;
    const lines = new Set<string>();
    for (const file of files) {
      const bytes = await this.#bytesOf(file);
      if (bytes === null || !isTextBytes(bytes)) continue;
      const long = bytes
        .toString("utf8")
        .split(/\r?\n/u)
        .filter((line) => line.length >= PROBE_LENGTH);
      for (const line of long.toSorted((a, b) => b.length - a.length).slice(0, MOST_PROBES))
        lines.add(line);
    }
    const probes = new Set<string>([...lines].slice(0, MOST_PROBES));
    const own = Buffer.from(erased);
    const mentions = (bytes: Buffer): boolean =>
      standsIn(bytes, own, { but: longer.all.map(bufferOf) });
    let isMentioned = others.some((other) => mentions(Buffer.from(other)));
    for (const other of others) {
      if (await this.#vault.isGenerated(other)) continue;
      const bytes = await this.#bytesOf(other);
      if (bytes === null) continue;
      for (const probe of probes) if (bytes.includes(probe)) probes.delete(probe);
      if (!bytes.includes(own)) continue;
      if (isTextBytes(bytes)) longer.addText(bytes.toString());
      isMentioned ||= mentions(bytes);
    }
    if (!isMentioned) probes.add(erased);
    return [...probes].map(bufferOf);
  }

  async #eraseFiles({ as, value, files }: Standing, needles: readonly Buffer[]): Promise<void> {
    if (files.length === 0) return;
    await this.#vault.change(AUTHOR, async ({ writer, readWhole }) => {
      if (as === "path") {
        await writer.remove(parsePath(value).path);
        return;
      }
      for (const { path: shown, whole } of files) {
        const file = parsePath(shown).path;
        if (whole) await writer.remove(file);
        else {
          const seen = await readWhole(file);
          await writer.update(seen, without(seen.bytes, needles));
        }
      }
    });
  }

  /** Files and folders whose own name holds one of these texts, or what names are made of it; outer ones first. */
  async #named(texts: readonly string[]): Promise<VaultPath[]> {
    const scanned = await this.#vault.scan();
    return scanned
      .filter(({ kind }) => kind === "file" || kind === "folder")
      .map(({ path: each }) => each)
      .filter((each) => cleanName(nameOf(each), texts) !== nameOf(each))
      .toSorted((a, b) => a.length - b.length);
  }

  async #rename(texts: readonly string[]): Promise<void> {
    for (;;) {
      const [from] = await this.#named(texts);
      if (from === undefined) return;
      const folder = from.slice(0, from.length - nameOf(from).length);
      const clean = cleanName(nameOf(from), texts);
      let to = folder + clean;
      for (let at = 2; (await this.#vault.find(to)).kind !== "missing"; at += 1)
        to = `${folder}${at}-${clean}`;
      await this.#vault.change(AUTHOR, async ({ writer }) => writer.move(from, to));
    }
  }

  /** Where one of these still stands: in files of the state folder, byte by byte, and in what the history keeps compressed. */
  async #left(probes: Needles): Promise<Pick<Forgotten, "left" | "unread">> {
    if (probes.texts.length === 0) return { left: [], unread: [] };
    const { state } = this.#vault;
    const found = findInState(state, probes);
    const left = found.files.map(({ name }) => name);
    const unread = found.unread.map((name) => path.join(state, name));
    const { changes, versions } = await this.#vault.erase(probes, true);
    if (changes + versions > 0) left.push("history.sqlite, compressed");
    return { left, unread };
  }
}

function bufferOf(text: string): Buffer {
  return Buffer.from(text);
}

/** The same in files of the state folder, of which some are JSON. */
function inState(needles: Needles): Needles {
  const { texts, but = [] } = inJson(needles);
  return { texts: [...needles.texts, ...texts], but: [...(needles.but ?? []), ...but] };
}

/** A path that the vault can have; null when the value cannot be meant as one. */
function pathIn(value: string, isMeant: boolean): VaultPath | null {
  try {
    const { path: found } = parsePath(value);
    if (found !== "") return found;
    throw new ExpectedError("protected", "The vault as a whole is not forgotten; name what is.");
  } catch (error) {
    if (isMeant || !(error instanceof ExpectedError) || error.code === "protected") throw error;
    return null;
  }
}
