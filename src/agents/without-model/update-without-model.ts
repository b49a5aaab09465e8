import { ExpectedError } from "../../errors.ts";
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
import type { VaultReader } from "../../vault/vault.ts";
import { callAsUpdater, UPDATE_ACTOR, type WritingParts } from "../agent-context.ts";
import { closestProjects, fold, projectNames, queryOf } from "./closest-projects.ts";
import { inboxItem, itemFolder, REVIEW } from "../inbox/inbox.ts";
import { languageFor } from "../language.ts";
import {
  freePath,
  freshItem,
  keepOriginals,
  MAX_SLUG_LENGTH,
  titleOf,
} from "../inbox/originals.ts";
import { reviewText } from "../inbox/review-text.ts";
import type { UpdateInput } from "../contract.ts";

export interface Parking {
  /** Why it is left to the person; null when there is simply no model. */
  readonly reason: string | null;
  /** What was done before, as shown. */
  readonly done?: readonly string[];
  /** A folder of the inbox that has the originals already. */
  readonly folder?: VaultPath | null;
}

/** Leaves what was handed over in the inbox, as it is, with what the vault has on it and one question. The name of the item. */
export async function park(
  input: UpdateInput,
  parts: WritingParts,
  { reason, done = [], folder: given = null }: Parking,
): Promise<string> {
  const { vault, now, batch } = parts;
  const call = callAsUpdater(parts);
  const closest = await closestProjects(input.content, vault, call);
  const title = titleOf(input);
  const folder = given ?? (await freshItem(vault, now(), title === "" ? "image" : title));
  await keepOriginals(vault, folder, input, { actor: UPDATE_ACTOR, batch });
  const lang = await languageFor(input.content, vault);
  const shownTitle = title === "" ? nameOf(folder) : title;
  const facts = { ...closest, title: shownTitle, query: queryOf(input.content), reason, done };
  const review = joinPath(folder, REVIEW);
  if ((await vault.find(review)).kind === "missing") {
    const bytes = Buffer.from(reviewText(facts, lang));
    await vault.change({ actor: UPDATE_ACTOR, call: "remember", batch }, async ({ writer }) =>
      writer.create(review, bytes),
    );
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
  // "sail loft" also says "loft": the longer name is the one that is meant.
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

/** Files an inbox item where the answer says: its originals into the bucket, one changelog entry, and the item is gone. */
export async function routeItem(
  answer: string,
  ref: string,
  parts: WritingParts,
): Promise<{ readonly text: string }> {
  const { vault, now } = parts;
  const { bucket, changelog, name } = await destinationOf(answer, vault);
  const folder = await itemFolder(vault, ref);
  const item = await inboxItem(vault, ref);
  const call = callAsUpdater(parts);
  const moved: VaultPath[] = [];
  for (const shown of item.originals) {
    const { path } = parsePath(shown);
    const to = await freePath(vault, bucket, stemIn(folder, path), extensionOf(path));
    await must(call("move", { from: showPath(path), to: showPath(to) }));
    moved.push(to);
  }
  const lang = await languageFor(item.review, vault);
  const links = moved.map((path) => `[[${path.replace(/\.md$/u, "")}]]`).join(", ");
  const heading = lang === "fr" ? `Classé : ${item.title}` : `Filed: ${item.title}`;
  const said = lang === "fr" ? `Réponse : ${oneLine(answer)}` : `Answer: ${oneLine(answer)}`;
  const entry = `# ${localDay(now())}\n\n## ${heading}\n${[links, said].filter((line) => line !== "").join("\n")}`;
  await must(call("append", { path: showPath(changelog), content: entry, position: "top" }));
  await must(call("delete", { path: showPath(folder, "folder") }));
  const where = showPath(bucket, "folder");
  const text =
    lang === "fr"
      ? `« ${item.title} » est classé dans ${name} : ${moved.length} fichier(s) dans ${where}, une entrée dans ${showPath(changelog)}.`
      : `"${item.title}" is filed in ${name}: ${moved.length} file(s) in ${where}, an entry in ${showPath(changelog)}.`;
  return { text };
}

/** The item's name says more than `original` does. */
function stemIn(folder: VaultPath, path: VaultPath): string {
  const item = nameOf(folder);
  const stem = nameOf(path).slice(0, -extensionOf(path).length || undefined);
  return stem === "original" ? item : `${item}-${slugOf(stem, "file", MAX_SLUG_LENGTH)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

async function must(work: ReturnType<ReturnType<typeof callAsUpdater>>): Promise<void> {
  const { isError, content } = await work;
  const [first] = content;
  if (isError) throw new ExpectedError("conflict", first?.type === "text" ? first.text : "refused");
}
