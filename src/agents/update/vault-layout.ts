import { ExpectedError } from "../../errors.ts";
import { charactersFor } from "../../text/tokens.ts";
import { frontmatterLines } from "../../vault/files/headings.ts";
import { isMarkdown, nameOf, showPath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { isFromOutside, isRawPlace } from "../inbox/untrusted-mark.ts";

/** Tokens of what a vault says of itself. */
const MAX_GUIDE = 400;
const MAX_FOLDERS = 25;
const MAX_NAMED = 60;
/** Notes that are opened to see how they are written. */
const SAMPLES = 40;
const OURS = new Set(["projects", "bucket", "inbox", "drop"]);
const DAILY = /^\d{4}-\d{2}-\d{2}(?:\D|$)/u;

/**
 * The shape of the vault, in a few lines. A vault that is laid out otherwise than ours is described by what is there, since the person's own
 * structure is where they will look.
 */
export async function layoutText(vault: VaultReader, projects: readonly string[]): Promise<string> {
  const top = await vault.list("");
  const folders = top.filter(({ kind }) => kind === "folder").map(({ path }) => path);
  const own = folders.filter((folder) => !OURS.has(folder));
  const files = top.filter(({ kind, path }) => kind === "file" && isMarkdown(path));
  const isOurs = !isForeignList(folders);
  const known = `Projects: ${projects.slice(0, MAX_NAMED).join(", ") || "none yet"}.`;
  const others = own.slice(0, MAX_FOLDERS).map((folder) => showPath(folder, "folder"));
  if (isOurs)
    return [known, ...(own.length === 0 ? [] : [`Also: ${others.join(", ")}.`])].join(" ");
  const names = files.map(({ path }) => nameOf(path)).slice(0, MAX_FOLDERS);
  const habits = await habitsOf(vault);
  return [
    "This vault is not laid out in projects/: it has a structure of its own. File by it, in the notes and folders there are and in the way they are written. Make no projects/ folder unless the note asks for one.",
    `Folders: ${(await countsOf(vault, own)).join(", ")}.${names.length === 0 ? "" : ` At the top: ${names.join(", ")}.`}`,
    ...habits,
    ...(await guideOf(vault)),
  ].join("\n");
}

/** Whether a vault has folders of its own, and no `projects/`. */
export async function isForeignLayout(vault: VaultReader): Promise<boolean> {
  const top = await vault.list("");
  return isForeignList(top.filter(({ kind }) => kind === "folder").map(({ path }) => path));
}

function isForeignList(folders: readonly VaultPath[]): boolean {
  return !folders.includes("projects") && folders.some((folder) => !OURS.has(folder));
}

export function isDailyNote(path: VaultPath): boolean {
  return DAILY.test(nameOf(path));
}

async function countsOf(vault: VaultReader, folders: readonly VaultPath[]): Promise<string[]> {
  const counted: string[] = [];
  for (const folder of folders.slice(0, MAX_FOLDERS)) {
    const node = await vault.shape(folder);
    const files = node.kind === "folder" ? node.files : 0;
    const inside = node.kind === "folder" ? node.children() : [];
    const below = inside.filter(({ kind }) => kind === "folder").map(({ name }) => `${name}/`);
    const list = below.length === 0 ? "" : `: ${below.slice(0, 8).join(" ")}`;
    counted.push(`${showPath(folder, "folder")} (${files} files${list})`);
  }
  return counted;
}

/** How notes are named and written: the newest daily note, templates, tags. */
async function habitsOf(vault: VaultReader): Promise<string[]> {
  const notes: VaultPath[] = [];
  const templates = new Set<VaultPath>();
  for await (const { path } of vault.walk("")) {
    if (!isMarkdown(path) || isRawPlace(path)) continue;
    const template = /^(?:.*\/)?(?:templates?|modèles?|modeles?)\//iu.exec(path)?.[0];
    if (template === undefined) notes.push(path);
    else templates.add(template);
  }
  const daily = notes.filter(isDailyNote).toSorted();
  const newest = daily.at(-1);
  const tags = new Map<string, number>();
  for (const path of notes.slice(0, SAMPLES)) {
    // A tag can hold an order.
    if (await isFromOutside(vault, path)) continue;
    const text = (await textOf(vault, path, 1500)) ?? "";
    for (const [, tag = ""] of text.matchAll(/(?:^|\s)#(\p{L}[\p{L}\p{N}_/-]*)/gu))
      tags.set(tag, (tags.get(tag) ?? 0) + 1);
  }
  const usual = [...tags].toSorted(([, a], [, b]) => b - a).slice(0, 8);
  return [
    ...(newest === undefined
      ? []
      : [
          `Daily notes: ${daily.length}, the newest ${showPath(newest)}. What happened goes into today's, named and written like it.`,
        ]),
    ...(templates.size === 0
      ? []
      : [`Templates, for new notes: ${[...templates].map((each) => showPath(each)).join(", ")}`]),
    ...(usual.length === 0 ? [] : [`Tags in use: ${usual.map(([tag]) => `#${tag}`).join(" ")}`]),
  ];
}

const GUIDES: readonly VaultPath[] = ["AGENTS.md", "CLAUDE.md", "README.md"];

/** What the vault says of itself, to agents or to people. */
async function guideOf(vault: VaultReader): Promise<string[]> {
  for (const path of GUIDES) {
    if (await isFromOutside(vault, path)) continue;
    const text = await textOf(vault, path, charactersFor(MAX_GUIDE));
    if (text !== null) return [`Its rules, by ${showPath(path)}:\n${text}`];
  }
  return [];
}

async function textOf(
  vault: VaultReader,
  path: VaultPath,
  characters: number,
): Promise<string | null> {
  try {
    const { lines } = (await vault.openText(path)).head(characters);
    return lines.slice(frontmatterLines(lines)).join("\n").trim();
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
