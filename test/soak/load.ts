import type { Random } from "../../src/testing/random.ts";

const WORDS =
  "pompe toit kiln glaze harbour lantern walrus budget façade École 会議 oak turbine devis".split(
    " ",
  );
/** The vault keeps its size, so that what grows is not the vault. */
const FOLDERS = 8;
const NOTES = 25;

/** A note of the pool that all doors work on. */
export function anyNote(random: Random): string {
  return `projects/p${random.below(FOLDERS)}/n${random.below(NOTES)}.md`;
}

export function everyNote(): string[] {
  return Array.from({ length: FOLDERS }, (_, folder) =>
    Array.from({ length: NOTES }, (__, note) => `projects/p${folder}/n${note}.md`),
  ).flat();
}

export function anyWords(random: Random, most = 8): string {
  const words = Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS) ?? "");
  return `${words.join(" ")} ${random.below(1000)}`;
}

export function anyBody(random: Random): string {
  const sections = Array.from(
    { length: 1 + random.below(5) },
    (_, at) => `## Part ${at}\n\n${anyWords(random, 40)}\n`,
  );
  return `# ${anyWords(random, 3)}\n\n${sections.join("\n")}`;
}

export interface ToolCall {
  readonly tool: string;
  readonly profile: "search" | "update";
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call of any tool, as agents make them: most look, some change, some are refused. */
export function anyCall(random: Random): ToolCall {
  const path = `vault/${anyNote(random)}`;
  const folder = path.slice(0, path.lastIndexOf("/"));
  const look = (tool: string, args: ToolCall["args"]): ToolCall => ({
    tool,
    profile: "search",
    args,
  });
  const change = (tool: string, args: ToolCall["args"]): ToolCall => ({
    tool,
    profile: "update",
    args,
  });
  const made = random.weighed<() => ToolCall>([
    [2, () => look("tree", random.isChance(0.5) ? {} : { path: folder, depth: 1 })],
    [4, () => look("read", { paths: random.isChance(0.3) ? [folder] : [path], head: 200 })],
    [4, () => look("search", { queries: [anyWords(random, 3)], mode: "fast" })],
    [1, () => look("search", { queries: [anyWords(random)], mode: "deep", limit: 5 })],
    [1, () => look("concat", { files: [{ path, lines: "1-3" }] })],
    [3, () => change("write", { path, content: anyBody(random) })],
    [2, () => change("append", { path, content: anyWords(random), position: "bottom" })],
    [1, () => change("edit", { path, section: "Part 0", new_content: anyWords(random) })],
    [0.5, () => change("move", { from: path, to: `vault/${anyNote(random)}` })],
    [0.5, () => change("delete", { path })],
    [0.2, () => change("read", { paths: ["vault/../../etc/passwd"] })],
  ]);
  return made?.() ?? look("tree", {});
}
