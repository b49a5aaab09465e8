import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import {
  documentText,
  journalLine,
  LARGE,
  type DocumentSize,
} from "../../src/testing/chaos/chaos-text.ts";
import type { Random } from "../../src/testing/random.ts";
import { splitFrontmatter } from "../../src/vault/files/frontmatter.ts";
import type { Expectation } from "./expectation.ts";
import { JOURNALS, TOUCHED, type Home } from "./home.ts";

const AREA = "disque";
const FOLDERS = ["a", "b/c", "é", "É t é/x"].map((name) => `${AREA}/${name}`);
const WRITER = "personne";
/**
 * The one loss that is known. A service checks that a file is unchanged, then renames its own version over it. What another program
 * writes between these two system calls, or later through a file it still has open, goes to the file that lost its name. The service
 * holds that file open and brings the write back: it polls every 40 ms, and the write must look the same in two polls. If it is killed
 * before that, the write is lost. So a write counts as possibly lost only when the file was replaced after it, and the kill came
 * within this many milliseconds: two polls, and the time that a busy machine needs for them and for the rescue itself.
 */
const RESCUE_WINDOW = 250;
const MONTH = 30 * 24 * 60 * 60 * 1000;

interface OwnDocument {
  readonly id: string;
  readonly at: string;
  readonly size: DocumentSize;
  readonly version: number;
}

interface RecentWrite {
  /** The inode that was written to. */
  readonly written: bigint;
  readonly at: number;
  /** Where the file is now. */
  readonly place: () => string;
  readonly forgive: () => void;
}

/**
 * Somebody at work on the vault's files with other programs: directly on the disk, whatever the service does at that moment. Has the
 * documents of one folder to itself. Whatever it does is done when the call returns.
 */
export class Person {
  readonly #root: string;
  readonly #random: Random;
  readonly #expected: Expectation;
  readonly #documents = new Map<string, OwnDocument>();
  readonly #forgivesLate: boolean;
  /** Writes to files that a service may have been replacing at that moment. */
  #recent: RecentWrite[] = [];
  #next = 0;

  /** @param forgivesLate accepts the loss that {@link RESCUE_WINDOW} describes */
  constructor({ root }: Home, random: Random, expected: Expectation, forgivesLate: boolean) {
    this.#forgivesLate = forgivesLate;
    this.#root = root;
    this.#random = random;
    this.#expected = expected;
  }

  /** Does one thing. */
  act(): void {
    this.#random.weighed<() => void>([
      [4, () => this.#create()],
      [8, () => this.#append()],
      [4, () => this.#truncate()],
      [3, () => this.#save()],
      [4, () => this.#replace()],
      [2, () => this.#swap()],
      [2, () => this.#delete()],
      [2, () => this.#rename()],
      [1, () => this.#renameFolder()],
      [3, () => this.#touch()],
      [1, () => this.#spoilTree()],
    ])?.();
  }

  #create(): void {
    const number = this.#random.below(12);
    const id = `p${number}`;
    const isLarge = number === 0;
    if (this.#documents.has(id) || (isLarge && this.#random.isChance(0.8))) return;
    const folder = this.#random.pick(FOLDERS) ?? AREA;
    const at = `${folder}/${id}${number % 4 === 3 ? ".txt" : ".md"}`;
    mkdirSync(path.dirname(this.#place(at)), { recursive: true });
    const size = isLarge ? LARGE : { lines: this.#random.below(20), width: 40 };
    const version = this.#number();
    writeFileSync(this.#place(at), documentText(id, version, size), { flag: "wx" });
    this.#is({ id, at, size, version });
  }

  #append(): void {
    const name = this.#random.pick(Object.keys(JOURNALS)) ?? "";
    const ending = name.includes("deux") ? "\r\n" : "\n";
    const number = this.#number();
    const line = journalLine(WRITER, number) + ending;
    const written = writeThrough(this.#place(name), "a", line);
    this.#expected.setLine(`${WRITER}.${number}`, "there");
    this.#recent.push({
      written,
      at: performance.now(),
      place: () => this.#place(name),
      forgive: () => this.#expected.setLine(`${WRITER}.${number}`, "maybe"),
    });
  }

  /** @param killed when a service was killed, as `performance.now()`; it must be gone */
  afterKill(killed: number): void {
    const recent = this.#recent;
    this.#recent = [];
    if (!this.#forgivesLate) return;
    for (const { written, at, place, forgive } of recent)
      if (killed - at < RESCUE_WINDOW && inodeOf(place()) !== written) forgive();
  }

  /** As many editors save: the same file, emptied and filled again. */
  #truncate(): void {
    this.#rewrite(({ id, size }, version, file) =>
      writeThrough(file, "w", documentText(id, version, size)),
    );
  }

  /** The same, by an editor that shows the frontmatter. */
  #save(): void {
    this.#rewrite(({ id, size }, version, file) =>
      writeThrough(file, "w", headOf(file) + documentText(id, version, size)),
    );
  }

  #replace(): void {
    this.#rewrite(({ id, size }, version, file) => {
      writeFileSync(`${file}.tmp`, documentText(id, version, size));
      renameSync(`${file}.tmp`, file);
      return null;
    });
  }

  /** Another file of the same size and time. */
  #swap(): void {
    this.#rewrite(({ id, size }, version, file) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(`${file}.tmp`, headOf(file) + documentText(id, version, size));
      utimesSync(`${file}.tmp`, atime, mtime);
      renameSync(`${file}.tmp`, file);
      return null;
    });
  }

  #delete(): void {
    const known = this.#pick();
    if (known === undefined) return;
    rmSync(this.#place(known.at));
    this.#documents.delete(known.id);
    this.#expected.set({ id: known.id, at: null, version: 0 });
  }

  #rename(): void {
    const known = this.#pick();
    if (known === undefined) return;
    const name = `${known.id} ${this.#random.below(9)}${path.extname(known.at)}`;
    const at = `${this.#random.pick(FOLDERS)}/${name}`;
    mkdirSync(path.dirname(this.#place(at)), { recursive: true });
    renameSync(this.#place(known.at), this.#place(at));
    this.#is({ ...known, at });
  }

  #renameFolder(): void {
    const [from = "", to = ""] = [this.#random.pick(FOLDERS), this.#random.pick(FOLDERS)];
    if (!existsSync(this.#place(from)) || existsSync(this.#place(to))) return;
    mkdirSync(path.dirname(this.#place(to)), { recursive: true });
    renameSync(this.#place(from), this.#place(to));
    for (const known of this.#documents.values())
      if (known.at.startsWith(`${from}/`))
        this.#is({ ...known, at: to + known.at.slice(from.length) });
  }

  #touch(): void {
    const own = [...this.#documents.values()].map(({ at }) => at);
    const name = this.#random.pick([...Object.keys(TOUCHED), ...own]) ?? "";
    const time = new Date(Date.now() - this.#random.below(2) * this.#random.below(MONTH));
    utimesSync(this.#place(name), time, time);
  }

  #spoilTree(): void {
    const file = this.#place("tree.md");
    if (this.#random.isChance(0.3)) rmSync(file, { force: true });
    // Of our form: another text would be a note of the person's.
    else {
      const tokens = this.#random.isChance(0.5) ? 0 : 7;
      writeFileSync(file, `\`\`\`\nvault/   [${tokens} · —]\n\`\`\`\n`);
    }
  }

  /** @param write returns the inode of the file it wrote to; null when it put a new file in its place */
  #rewrite(write: (known: OwnDocument, version: number, file: string) => bigint | null): void {
    const known = this.#pick();
    if (known === undefined) return;
    const version = this.#number();
    const written = write(known, version, this.#place(known.at));
    this.#is({ ...known, version });
    if (written === null) return;
    const present = (): OwnDocument | undefined => this.#documents.get(known.id);
    this.#recent.push({
      written,
      at: performance.now(),
      place: () => this.#place(present()?.at ?? known.at),
      forgive: () => {
        // Nothing is left of an earlier version once another was written.
        const { at, version: last } = present() ?? { at: "", version: 0 };
        if (last === version) this.#expected.may({ ...known, at });
      },
    });
  }

  #pick(): OwnDocument | undefined {
    return this.#random.pick([...this.#documents.values()]);
  }

  #is(document: OwnDocument): void {
    const { id, at, version } = document;
    this.#documents.set(id, document);
    this.#expected.set({ id, at, version });
  }

  #number(): number {
    this.#next += 1;
    return this.#next;
  }

  #place(name: string): string {
    return path.join(this.#root, name);
  }
}

/** The frontmatter of a file, with its lines. */
function headOf(file: string): string {
  const text = readFileSync(file, "utf8");
  return text.slice(0, text.length - splitFrontmatter(text).body.length);
}

/** Opens, writes, closes. Returns the inode it wrote to. */
function writeThrough(file: string, flags: "a" | "w", text: string): bigint {
  const fd = openSync(file, flags);
  try {
    writeFileSync(fd, text);
    return fstatSync(fd, { bigint: true }).ino;
  } finally {
    closeSync(fd);
  }
}

function inodeOf(file: string): bigint | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
