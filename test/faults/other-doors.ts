import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { z } from "zod";

import type { Random } from "../../src/testing/random.ts";
import { TEMPORARY_PREFIX } from "../../src/vault/write/open-folder.ts";
import type { Answer, Question, ServiceClient } from "../model/service-client.ts";

/** What comes in beside the tools: a file, something to remember, and that as a preview, which is accepted or rejected. */
const KINDS = ["ingest", "remember", "preview"] as const;

const Update = z.object({ id: z.string(), status: z.string() });
/** The statuses of an update that nothing more becomes of. */
const DONE = "done";

/** Hands one thing over, by a word that stands nowhere else, and looks whether the vault has it once, or not at all. */
export class OtherDoors {
  readonly #root: string;
  #count = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * @param faulty asks while calls to the disk fail
   * @returns what is wrong, and what was answered
   */
  async handOver(
    random: Random,
    service: ServiceClient,
    faulty: (question: Question) => Promise<Answer>,
  ): Promise<{ readonly problems: string[]; readonly answers: readonly Answer[] }> {
    this.#count += 1;
    const kind = random.pick(KINDS) ?? "ingest";
    const word = `handed${this.#count}over`;
    const text = `The ${word} of the harbour\n`;
    if (kind === "ingest") {
      const answer = await faulty({ kind: "ingest", name: `${word}.md`, text });
      return {
        answers: [answer],
        problems: this.#wrong(word, answer.isError ? [0] : [1], answer.text),
      };
    }
    const isPreview = kind === "preview";
    const taken = await faulty({ kind: "remember", content: text, isPreview });
    if (taken.isError) return { answers: [taken], problems: this.#wrong(word, [0], taken.text) };
    const { id } = Update.parse(taken.structured);
    const answers = [taken];
    const ended = await service.ask({ kind: "ended", id });
    answers.push(ended);
    let { status } = Update.parse(ended.structured);
    if (status === "preview") {
      const before = this.#wrong(word, [0], "as a preview");
      if (before.length > 0) return { answers, problems: before };
      const isYes = random.isChance(0.7);
      const decided = await faulty({ kind: "decide", id, isYes });
      answers.push(decided);
      if (!decided.isError) ({ status } = Update.parse(decided.structured));
      const expected = isYes && !decided.isError ? [1] : [0];
      return { answers, problems: this.#wrong(word, expected, `${status}: ${decided.text}`) };
    }
    // One that failed is kept in the queue, and a parked one stands in the inbox.
    return { answers, problems: this.#wrong(word, status === DONE ? [1] : [0, 1], status) };
  }

  /** A word that stands in more or fewer files than it may. */
  #wrong(word: string, expected: readonly number[], why: string): string[] {
    const entries = readdirSync(this.#root, { recursive: true, withFileTypes: true });
    const places = entries
      .filter((entry) => entry.isFile() && entry.name !== "tree.md")
      .filter(({ name }) => !name.startsWith(TEMPORARY_PREFIX))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((place) => bodyOf(place).includes(word));
    // An item of the inbox has the text, and a question about it.
    const isItem = (place: string): boolean => path.relative(this.#root, place).startsWith("inbox");
    const holding = [...new Set(places.map((each) => (isItem(each) ? path.dirname(each) : each)))];
    if (expected.includes(holding.length)) return [];
    return [`${word} stands in ${JSON.stringify(holding)} (${why.slice(0, 300)})`];
  }
}

/** Without the lines that say where a note is from, which repeat a name. */
function bodyOf(place: string): string {
  try {
    return readFileSync(place, "utf8").replace(/^---\n.*?\n---\n/su, "");
  } catch {
    // Replaced, or taken back, meanwhile.
    return "";
  }
}
