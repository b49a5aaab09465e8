import { rmSync } from "node:fs";
import path from "node:path";

import { eraseTasks } from "../agents/queue/erase-tasks.ts";
import { ExpectedError } from "../errors.ts";
import { isIndexed } from "../index/search-index.ts";
import { slugOf } from "../text/slug.ts";
import { KeptProposals } from "../tidy/kept-proposals.ts";
import { isTextBytes } from "../text/utf8.ts";
import type { Erasure } from "../vault/history/erase-history.ts";
import { isUnder, nameOf, parsePath, showPath, type VaultPath } from "../vault/paths.ts";
import type { LocalVault } from "../vault/vault.ts";
import {
  compactAll,
  eraseFiles,
  eraseVectors,
  fileHolds,
  filesUnder,
  findInState,
} from "./state-bytes.ts";

const SHORTEST = 4;
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
  readonly logLines: number;
  /** Other files of the state folder. */
  readonly state: readonly string[];
  /** Files in the vault's folder that are no part of the vault, such as `.git`: they are left. */
  readonly untouched: readonly string[];
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
}

interface Found {
  readonly standing: Standing;
  readonly erasure: Erasure;
  /** What is removed from queue and log, and looked for at the end. */
  readonly texts: readonly string[];
  readonly probes: readonly Buffer[];
}

/** Removes for good what must not exist: from files, history, index, vectors, queue and log. */
export class Forgetting {
  readonly #vault: LocalVault;
  readonly #rebuildIndex: () => Promise<void>;

  constructor({ vault, rebuildIndex }: ForgettingOptions) {
    this.#vault = vault;
    this.#rebuildIndex = rebuildIndex;
  }

  /** Where it stands; changes nothing. */
  async find(target: ForgetTarget): Promise<Standing> {
    return (await this.#find(target)).standing;
  }

  /** Removes it everywhere, and looks for it in the bytes of everything that is kept. */
  async erase(target: ForgetTarget): Promise<Forgotten> {
    const found = await this.#find(target);
    const { erasure, texts, probes } = found;
    const { state } = this.#vault;
    const needles = texts.map((text) => Buffer.from(text));
    // First: a running one refuses before anything is removed.
    eraseTasks(state, texts, false);
    // Copies of notes, with a history of their own: a preview that is lost is asked for again.
    rmSync(path.join(state, "previews"), { recursive: true, force: true });
    // What it removed is no longer there to be cleaned.
    const { standing } = (await this.#eraseProposals()) ? await this.#find(target) : found;
    await this.#eraseFiles(standing, needles);
    if (standing.as === "text") await this.#rename(texts);
    await this.#vault.finishLateWrites();
    await this.#vault.erase(erasure, false);
    await this.#rebuildIndex();
    const vectors = eraseVectors(state);
    if (needles.length > 0) eraseFiles(state, needles, false);
    compactAll(state);
    return { ...standing, vectors, left: await this.#left(probes) };
  }

  /** Proposals to tidy quote notes, in the state folder and in their inbox items: a run makes them again. */
  async #eraseProposals(): Promise<boolean> {
    let wasThere = false;
    const kept = new KeptProposals(this.#vault.state);
    const { used } = kept.read();
    kept.forget();
    for (const ref of used) {
      const review = `inbox/${ref}/review.md`;
      if ((await this.#vault.find(review)).kind === "file") {
        wasThere = true;
        await this.#vault.change(AUTHOR, async ({ writer }) => writer.remove(review));
      }
      await this.#vault.erase({ path: review }, false);
    }
    return wasThere;
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
    const texts = [...new Set([value, value.normalize("NFC"), value.normalize("NFD")])];
    const needles = texts.map((text) => Buffer.from(text));
    const files: { path: string; whole: boolean }[] = [];
    const known = new Set<string>();
    let indexed = 0;
    for await (const { path: file } of this.#vault.walk("")) {
      known.add(file);
      const { bytes } = await this.#vault.readBytes(file, Number.MAX_SAFE_INTEGER);
      if (!needles.some((needle) => bytes.includes(needle))) continue;
      if (await this.#vault.isGenerated(file)) continue;
      files.push({ path: showPath(file), whole: !isTextBytes(bytes) });
      if (isIndexed(file)) indexed += 1;
    }
    const erasure = { texts: needles };
    const rest = await this.#rest(erasure, texts, needles, known);
    const names = (await this.#named(texts)).map((each) => showPath(each));
    const standing = { as: "text", value, files, names, indexed, ...rest } as const;
    return { standing, erasure, texts, probes: needles };
  }

  async #rest(
    erasure: Erasure,
    texts: readonly string[],
    needles: readonly Buffer[],
    known: ReadonlySet<string>,
  ): Promise<Pick<Standing, "history" | "queue" | "logLines" | "state" | "untouched">> {
    const { state, root } = this.#vault;
    const { lines, files } = eraseFiles(state, needles, true);
    const untouched = filesUnder(root).filter((file) => {
      const name = path.relative(root, file).split(path.sep).join("/").normalize("NFC");
      return !known.has(name) && name !== "tree.md" && fileHolds(file, needles);
    });
    return {
      history: await this.#vault.erase(erasure, true),
      queue: eraseTasks(state, texts, true),
      logLines: lines,
      state: files,
      untouched: untouched.map((file) => path.relative(root, file)),
    };
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
    const probes = await this.#probesOf(erased, files, others);
    const needle = Buffer.from(shown);
    const { lines, files: more } = eraseFiles(this.#vault.state, [needle], true);
    const standing: Standing = {
      as: "path",
      value: shown,
      files: files.map((file) => ({ path: showPath(file), whole: true })),
      names: [],
      indexed: files.filter((file) => isIndexed(file)).length,
      history,
      queue: eraseTasks(this.#vault.state, [shown], true),
      logLines: lines,
      state: more,
      untouched: [],
    };
    return { standing, erasure: { path: erased }, texts: [shown], probes };
  }

  /** What stands in these files and in no other: its lines, and the path unless another one holds it. */
  async #probesOf(
    erased: VaultPath,
    files: readonly VaultPath[],
    others: readonly VaultPath[],
  ): Promise<Buffer[]> {
    const lines = new Set<string>();
    for (const file of files) {
      const { bytes } = await this.#vault.readBytes(file, Number.MAX_SAFE_INTEGER);
      if (!isTextBytes(bytes)) continue;
      const long = bytes
        .toString("utf8")
        .split(/\r?\n/u)
        .filter((line) => line.length >= PROBE_LENGTH);
      for (const line of long.toSorted((a, b) => b.length - a.length).slice(0, MOST_PROBES))
        lines.add(line);
    }
    const probes = new Set<string>([...lines].slice(0, MOST_PROBES));
    if (!others.some((other) => other.includes(erased))) probes.add(erased);
    for (const other of others) {
      if (await this.#vault.isGenerated(other)) continue;
      const { bytes } = await this.#vault.readBytes(other, Number.MAX_SAFE_INTEGER);
      for (const probe of probes) if (bytes.includes(probe)) probes.delete(probe);
    }
    return [...probes].map((probe) => Buffer.from(probe));
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
  async #left(probes: readonly Buffer[]): Promise<string[]> {
    if (probes.length === 0) return [];
    const left = findInState(this.#vault.state, probes);
    const { changes, versions } = await this.#vault.erase({ texts: probes }, true);
    return changes + versions > 0 ? [...left, "history.sqlite, compressed"] : left;
  }
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

/** A name without any of these texts, or their slugs, in it. */
function cleanName(name: string, texts: readonly string[]): string {
  const slugs = texts.map((text) => slugOf(text, "")).filter((slug) => slug.length >= SHORTEST);
  const clean = [...texts, ...slugs].reduce((rest, text) => rest.replaceAll(text, ""), name);
  return /^\.?[a-z]*$/u.test(clean) && clean !== name ? `forgotten${clean}` : clean;
}

/** The bytes without any of these texts in them. */
function without(bytes: Buffer, texts: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const found = texts
      .map((text) => ({ at: rest.indexOf(text), length: text.length }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at || b.length - a.length)[0];
    if (found === undefined) return Buffer.concat([...parts, rest]);
    parts.push(rest.subarray(0, found.at));
    rest = rest.subarray(found.at + found.length);
  }
}
