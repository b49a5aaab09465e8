import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import {
  personText,
  readDocument,
  readJournal,
  type JournalText,
} from "../../src/testing/chaos/chaos-text.ts";
import type { Expectation } from "./expectation.ts";
import { isStill, TOUCHED } from "./home.ts";

/** A document as it stands in the vault. */
interface FoundDocument {
  readonly at: string;
  readonly id: string;
  readonly version: number;
  readonly isWhole: boolean;
}

/** All that is in a vault, by what the chaos test put there. */
export interface Inventory {
  readonly documents: readonly FoundDocument[];
  readonly journals: ReadonlyMap<string, JournalText>;
  /** Files that must keep their bytes, and those that must keep their time too. */
  readonly kept: ReadonlyMap<string, string>;
  /** Files that should not be there. */
  readonly strange: readonly string[];
}

/** Every file of a vault that a person sees, as named on disk. */
export function fileNames(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

/** Bytes and time of every file: equal when nothing changed. */
export function snapshot(root: string): Map<string, string> {
  return new Map(fileNames(root).map((name) => [name, fileState(path.join(root, name))]));
}

function fileState(file: string): string {
  return `${statSync(file, { bigint: true }).mtimeNs} ${readFileSync(file, "latin1")}`;
}

export function takeInventory(root: string): Inventory {
  const documents: FoundDocument[] = [];
  const journals = new Map<string, JournalText>();
  const kept = new Map<string, string>();
  const strange: string[] = [];
  for (const name of fileNames(root)) {
    const file = path.join(root, name);
    if (name in TOUCHED || isStill(name)) {
      kept.set(name, isStill(name) ? fileState(file) : readFileSync(file, "latin1"));
      continue;
    }
    const text = personText(readFileSync(file, "utf8"));
    const document = readDocument(text);
    if (document !== null) documents.push({ ...document, at: name });
    else if (name.startsWith("partagé/")) journals.set(name, readJournal(text));
    else if (name !== "tree.md") strange.push(`${name}: ${JSON.stringify(text.slice(0, 100))}`);
  }
  return { documents, journals, kept, strange };
}

/** A text that could not go where it belongs, because another one had come there. */
export function isSavedBeside(name: string): boolean {
  return / \(saved [^)]*\)/u.test(name);
}

/** What is not as it must be. What may be so or otherwise is from now on as it is. */
export function compare(found: Inventory, expected: Expectation): string[] {
  return [
    ...found.strange
      .filter((name) => !name.startsWith("tree (saved"))
      .map((name) => `strange file ${name}`),
    ...documentProblems(found, expected),
    ...journalProblems(found, expected),
  ];
}

function documentProblems({ documents }: Inventory, expected: Expectation): string[] {
  const problems = documents
    .filter(({ isWhole }) => !isWhole)
    .map(({ at }) => `not a whole document: ${at}`);
  const byId = Map.groupBy(documents, ({ id }) => id);
  for (const [id, states] of expected.documents()) {
    const copies = byId.get(id) ?? [];
    const [actual, ...more] = copies.filter(({ at }) => !isSavedBeside(at));
    const at = actual?.at ?? null;
    const version = actual?.version ?? 0;
    const isRight = states.some((state) =>
      state.at === null ? at === null : state.at === at && state.version === version,
    );
    const wanted = states.map((state) => `${state.at} v${state.version}`).join(" or ");
    const isBeside = copies.some((copy) => states.some((state) => state.version === copy.version));
    if (more.length > 0)
      problems.push(
        `document ${id} is in several places: ${copies.map((each) => each.at).join(", ")}`,
      );
    else if (!isRight && !(isBeside && at !== null))
      problems.push(`document ${id} is ${at} v${version}, should be ${wanted}`);
    byId.delete(id);
    expected.set({ id, at, version });
  }
  return [...problems, ...[...byId.keys()].map((id) => `unknown document ${id}`)];
}

function journalProblems({ journals }: Inventory, expected: Expectation): string[] {
  const problems: string[] = [];
  const places = new Map<string, string[]>();
  for (const [name, { lines, strange }] of journals) {
    problems.push(...strange.map((line) => `${name}: strange line ${JSON.stringify(line)}`));
    if (!isSavedBeside(name)) problems.push(...orderProblems(name, lines));
    for (const line of lines) places.set(line, [...(places.get(line) ?? []), name]);
  }
  for (const [line, presence] of expected.lines()) {
    const at = places.get(line) ?? [];
    if (at.length === 0 && presence === "there") problems.push(`line ${line} is lost`);
    if (at.length > 1) problems.push(`line ${line} is there ${at.length} times: ${at.join(", ")}`);
    if (at.length > 0 && presence === "gone")
      problems.push(`line ${line} was taken back, and is in ${at.join(", ")}`);
    if (at.length === 0) expected.forgetLine(line);
    else expected.setLine(line, "there");
    places.delete(line);
  }
  return [...problems, ...[...places.keys()].map((line) => `unknown line ${line}`)];
}

/** The lines of each writer must be in its order; those added at the top, in reverse. */
function orderProblems(name: string, lines: readonly string[]): string[] {
  const last = new Map<string, number>();
  const problems: string[] = [];
  for (const line of lines) {
    const dot = line.lastIndexOf(".");
    const writer = line.slice(0, dot);
    const number = Number(line.slice(dot + 1)) * (writer.endsWith("-top") ? -1 : 1);
    const before = last.get(writer);
    if (before !== undefined && number <= before)
      problems.push(`${name}: ${line} comes after ${writer}.${Math.abs(before)}`);
    last.set(writer, number);
  }
  return problems;
}
