import { createHash } from "node:crypto";

import fc from "fast-check";

import { Rights, type Grant } from "../../../src/team/rights/rights.ts";
import { isUnder } from "../../../src/vault/paths.ts";

export const FOLDERS = ["hr", "hr/open", "work", "work/pay", "inbox", "bucket", "boat"] as const;
export const WORDS = ["kiln", "boat", "roof", "garden", "train", "cellar", "bread", "lamp"];

/** A note before it is known whether its reader may see it. */
export interface PlannedNote {
  readonly folder: string;
  readonly word: string;
  readonly number: number;
  readonly other: string;
  readonly isNamed: boolean;
}

export interface Plan {
  readonly grants: readonly Grant[];
  readonly notes: readonly PlannedNote[];
  /** Which door is tried with what: each number picks among what there is. */
  readonly calls: readonly (readonly [door: number, one: number, two: number, three: number])[];
}

/** A file that readers ingest: what is hidden says that it was made from it. */
export const INGESTED = "name,age\nAda,36\n";
const INGESTED_SHA = createHash("sha256").update(INGESTED).digest("hex");

const word = fc.constantFrom(...WORDS);
const number = fc.nat({ max: 1_000_000 });
const note = fc.record({
  folder: fc.constantFrom("", ...FOLDERS),
  word,
  number: fc.nat({ max: 20 }),
  other: word,
  isNamed: fc.boolean(),
});
const folderRole = fc.constantFrom("none", "none", "viewer", "editor", null);
const grants = fc
  .tuple(fc.constantFrom("none", "viewer", "editor"), ...FOLDERS.map(() => folderRole))
  .map(([whole, ...roles]): Grant[] => [
    { folder: "", role: whole },
    ...roles.flatMap((role, at): Grant[] => {
      const folder = FOLDERS[at];
      return role === null || folder === undefined ? [] : [{ folder, role }];
    }),
  ])
  // Who sees nothing has no vault, and who sees all has nothing hidden.
  .filter((all) => new Rights(all).seesSomething && !new Rights(all).seesAll);

export function planOf(calls: number): fc.Arbitrary<Plan> {
  return fc.record({
    grants,
    notes: fc.array(note, { minLength: 25, maxLength: 40 }),
    calls: fc.array(fc.tuple(number, number, number, number), {
      minLength: calls,
      maxLength: calls,
    }),
  });
}

/** The notes of a plan: those that its reader may see, and the others, which have marked words in their names and texts. */
export class MarkedVault {
  #grants: readonly Grant[];
  #rights: Rights;
  readonly marks: string[] = [];
  readonly seen = new Map<string, string>();
  readonly hidden = new Map<string, string>();
  #made = 0;

  constructor({ grants: given, notes }: Pick<Plan, "grants" | "notes">) {
    this.#grants = given;
    this.#rights = new Rights(given);
    for (const each of notes) this.put(each);
  }

  get rights(): Rights {
    return this.#rights;
  }

  /** The folders that have roles of their own now. */
  get ruled(): Grant[] {
    return this.#grants.filter(({ folder }) => folder !== "");
  }

  /** Somebody moved a folder: notes and roles are where it is. */
  move(from: string, to: string): void {
    const moved = (path: string): string =>
      isUnder(path, from) ? to + path.slice(from.length) : path;
    for (const notes of [this.seen, this.hidden])
      for (const [path, text] of Array.from(notes)) {
        notes.delete(path);
        notes.set(moved(path), text);
      }
    this.#grants = this.#grants.map(({ folder, role }) => ({ folder: moved(folder), role }));
    this.#rights = new Rights(this.#grants);
  }

  /** The note as it is to be written. A name says nothing of whether it is hidden, so that links could mean either. */
  put({
    folder,
    word: name,
    number: count,
    other,
    isNamed,
  }: PlannedNote): readonly [path: string, text: string] {
    const plain = `${folder === "" ? "" : `${folder}/`}${name}-${count}.md`;
    const link = `[[${other}-${count % 7}]]`;
    if (this.rights.mayRead(plain)) {
      const text = `# ${name}\n\nThe ${other} and the ${name}. See ${link}.\n`;
      this.seen.set(plain, text);
      return [plain, text];
    }
    const path = isNamed ? plain.replace(/\.md$/u, `/${this.#mark()}.md`) : plain;
    const front = `---\naliases: [${this.#mark()}]\ntags: [${this.#mark()}]\nowner: ${this.#mark()}\nsource:\n  sha256: ${INGESTED_SHA}\n---\n`;
    const text = `${front}# ${this.#mark()}\n\nThe ${other} and ${this.#mark()}. See ${link}.\nReplaces: [[${name}-3]] (${this.#mark()})\n`;
    this.hidden.set(path, text);
    return [path, text];
  }

  #mark(): string {
    this.#made += 1;
    const letters = Array.from({ length: 6 }, (_, at) =>
      String.fromCharCode(97 + ((this.#made * 7 + at * 11 + (this.#made >> at)) % 26)),
    );
    const mark = `zq${letters.join("")}${this.#made}q`;
    this.marks.push(mark);
    return mark;
  }

  leaksIn(text: string): string[] {
    const lower = text.toLowerCase();
    return this.marks.filter((mark) => lower.includes(mark));
  }
}
