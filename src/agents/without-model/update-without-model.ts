import { ExpectedError } from "../../errors.ts";
import { freeName } from "../../ingest/filing/free-name.ts";
import { localDay } from "../../text/local-time.ts";
import { slugOf } from "../../text/slug.ts";
import {
  extensionOf,
  joinPath,
  nameOf,
  parsePath,
  showPath,
  type VaultPath,
} from "../../vault/paths.ts";
import type { CallResult } from "../../tools/call-result.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { callAsUpdater, changeInRun, type WritingParts } from "../agent-run.ts";
import type { UpdateInput } from "../contract.ts";
import {
  exists,
  freshItem,
  inboxItem,
  itemFolder,
  keepOriginals,
  MAX_SLUG_LENGTH,
  REVIEW,
  titleOf,
} from "../inbox/inbox.ts";
import { marked } from "../inbox/untrusted-mark.ts";
import { closestProjects, fold, projectNames, queryOf } from "./closest-projects.ts";
import { reviewText, textsFor } from "./program-texts.ts";

export interface Parking {
  /** Why it was not filed; null when there is simply no model. */
  readonly reason: string | null;
  /** What was done before, as shown. */
  readonly done?: readonly string[];
  /** A folder of the inbox that has the originals already. */
  readonly folder?: VaultPath | null;
}

/** Leaves an input in the inbox, as it is, with what the vault has on it and one question. Resolves to the name of the item. */
export async function park(
  input: UpdateInput,
  parts: WritingParts,
  { reason, done = [], folder: given = null }: Parking,
): Promise<string> {
  const { vault } = parts;
  const { content } = input;
  const closest = await closestProjects(content, vault, callAsUpdater(parts));
  const folder = given ?? (await freshItem(parts, input));
  await keepOriginals(parts, folder, input);
  const review = joinPath(folder, REVIEW);
  if (!(await exists(vault, review))) {
    const title = titleOf(input) || nameOf(folder);
    const { isUntrusted } = input;
    const facts = { ...closest, title, query: queryOf(content), reason, done, isUntrusted };
    const text = reviewText(facts, await textsFor(content, vault));
    const bytes = Buffer.from(isUntrusted ? marked(text) : text);
    await changeInRun(parts, async (writer) => writer.create(review, bytes));
  }
  return nameOf(folder);
}

/** Where an answer sends an inbox item: a project's bucket, or the vault's own. */
export interface Destination {
  readonly bucket: VaultPath;
  readonly changelog: VaultPath;
  readonly name: string;
}

const NO_PROJECT = new Set(["bucket", "none", "aucun", "vault bucket"]);

/** The project that an answer names. Throws `not_found` or `ambiguous` with the names there are. */
export async function destinationOf(answer: string, vault: VaultReader): Promise<Destination> {
  const folded = fold(answer);
  const names = await projectNames(vault);
  const named = names.filter((name) => ` ${folded} `.includes(` ${fold(name)} `));
  // An answer with "sail loft" also contains "loft": the longer name wins.
  const meant = named.filter(
    (name) => !named.some((other) => other !== name && fold(other).includes(fold(name))),
  );
  const [project] = meant;
  if (project !== undefined && meant.length === 1) {
    const folder = joinPath("projects", project);
    return {
      bucket: joinPath(folder, "bucket"),
      changelog: joinPath(folder, "changelog.md"),
      name: project,
    };
  }
  if (meant.length === 0 && NO_PROJECT.has(folded)) {
    return { bucket: "bucket", changelog: "changelog.md", name: "bucket" };
  }
  const known = `Without a model, an answer is the name of one project: ${[...names, "bucket"].join(", ")}.`;
  throw meant.length === 0
    ? new ExpectedError("not_found", `The answer names no project of the vault. ${known}`)
    : new ExpectedError(
        "ambiguous",
        `The answer names several projects: ${meant.join(", ")}. ${known}`,
      );
}

/** Files an inbox item where the answer says: its originals into the bucket, one changelog entry, and the item is gone. Resolves to a report. */
export async function routeItem(answer: string, ref: string, parts: WritingParts): Promise<string> {
  const { vault, now } = parts;
  const { bucket, changelog, name } = await destinationOf(answer, vault);
  const folder = await itemFolder(vault, ref);
  const { originals, review, title } = await inboxItem(vault, ref);
  const tools = callAsUpdater(parts);
  const call = async (tool: string, args: unknown): Promise<void> => must(await tools(tool, args));
  const moved: VaultPath[] = [];
  for (const from of originals) {
    const { path } = parsePath(from);
    const extension = extensionOf(path);
    const stem = await freeName(vault, bucket, stemIn(folder, path), [extension]);
    const to = joinPath(bucket, stem + extension);
    await call("move", { from, to: showPath(to) });
    moved.push(to);
  }
  const texts = await textsFor(review, vault);
  const links = moved.map((path) => `[[${path.replace(/\.md$/u, "")}]]`).join(", ");
  const said = texts.answer(answer.replaceAll(/\s+/gu, " ").trim());
  const entry = `# ${localDay(now())}\n\n## ${texts.filed(title)}\n${links === "" ? "" : `${links}\n`}${said}`;
  await call("append", { path: showPath(changelog), content: entry, position: "top" });
  await call("delete", { path: showPath(folder, "folder") });
  return texts.filedIn({
    title,
    project: name,
    count: moved.length,
    bucket: showPath(bucket, "folder"),
    changelog: showPath(changelog),
  });
}

/** The item's name says more than `original` does. */
function stemIn(folder: VaultPath, path: VaultPath): string {
  const item = nameOf(folder);
  const stem = nameOf(path).slice(0, -extensionOf(path).length || undefined);
  return stem === "original" ? item : `${item}-${slugOf(stem, "file", MAX_SLUG_LENGTH)}`;
}

function must({ isError, content: [first] }: CallResult): void {
  if (isError) throw new ExpectedError("conflict", first?.type === "text" ? first.text : "refused");
}
