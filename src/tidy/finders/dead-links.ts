import { linkKey, withoutExtension } from "../../index/links-in.ts";
import type { FileLink } from "../../index/search-index.ts";
import { wordsOf } from "../../text/words.ts";
import { isMarkdown, nameOf, showPath, type VaultPath } from "../../vault/paths.ts";
import { nodesUnder } from "../../vault/tree/nodes-under.ts";
import type { Finder, Finding, TidyContext } from "../finding.ts";
import { editOf, editsOf, relinkedLines } from "../relink.ts";

/** Text of others, and what waits: their links are not the person's to keep. */
const RAW = /^(?:inbox|drop)\/|(?:^|\/)bucket\//u;
const TEMPORARY = /^(?:inbox|drop)\//u;
const TEMPLATE = /[{}<>%]|^(?:.*\/)?(?:templates?|modèles?|modeles?)\//iu;
/** Dead links that are named together. */
const MAX_NAMED = 8;

/**
 * Links to notes that are not there. Where exactly one file has that name, in another folder or with other signs between its words, the link is led
 * there. All others on pages of ours are named together: elsewhere a link to a note to come is a habit.
 */
export const deadLinks: Finder = {
  kind: "dead-link",
  find: async (context) => {
    // An index that does not know all files yet takes good links for dead ones.
    if ((await context.index.links.linking(new Set())) === null) return [];
    const dead = (await context.index.links.dead()).filter(
      ({ from, target }) => !RAW.test(from) && !TEMPLATE.test(from) && !TEMPLATE.test(target),
    );
    if (dead.length === 0) return [];
    const meant = await namesIn(context);
    const found: Finding[] = [];
    const left: FileLink[] = [];
    for (const [path, links] of Map.groupBy(dead, ({ from }) => from)) {
      const known = links.filter((link) => meant(link) !== null);
      left.push(...links.filter((link) => !known.includes(link)));
      const finding = known.length === 0 ? null : await correction(path, known, meant, context);
      if (finding !== null) found.push(finding);
    }
    const projects = new Set(context.projects);
    const own = left.filter(({ from }) =>
      from.includes("/") ? projects.has(projectOf(from)) : context.isOurs,
    );
    return own.length > 0 ? [...found, listed(own)] : found;
  },
};

function projectOf(path: VaultPath): VaultPath {
  return path.split("/", 2).join("/");
}

/** The one file that a dead link can mean. */
type Meant = (link: Pick<FileLink, "target">) => VaultPath | null;

/** Every file is looked at once, whatever the number of links. */
async function namesIn({ vault }: TidyContext): Promise<Meant> {
  const named = new Map<string, VaultPath | null>();
  for (const { path, kind } of nodesUnder(await vault.shape(""))) {
    if (kind !== "file" || TEMPORARY.test(path)) continue;
    const name = spelled(path);
    named.set(name, named.has(name) ? null : path);
  }
  return ({ target }) => {
    const path = named.get(spelled(target)) ?? null;
    // A name of one short word is too common, and a day's note must be that day's.
    return path !== null && linkKey(target).length > 3 ? path : null;
  };
}

/** The words of a name, with the extension of what is no note. */
function spelled(path: string): string {
  const name = nameOf(path.replace(/\/+$/u, ""));
  return wordsOf(isMarkdown(name) ? withoutExtension(name) : name).join(" ");
}

async function correction(
  path: VaultPath,
  links: readonly FileLink[],
  meant: Meant,
  { page }: TidyContext,
): Promise<Finding | null> {
  const found = await page(path);
  if (found === null) return null;
  const rows = relinkedLines(found.lines, path, (link) =>
    links.some(({ line, target }) => line === link.line + found.skipped && target === link.target)
      ? meant(link)
      : null,
  );
  const [first] = rows.keys();
  if (first === undefined) return null;
  const targets = [...new Set(links.map(({ target }) => target))];
  const shown = `${showPath(path)}: ${targets.slice(0, MAX_NAMED).join(", ")}`;
  return {
    kind: "dead-link",
    title: {
      en: `Dead links led to the only file of that name, in ${shown}`,
      fr: `Liens morts menés au seul fichier de ce nom, dans ${shown.replace(":", " :")}`,
    },
    path,
    line: found.skipped + first,
    changes: [editOf(found, editsOf(rows))],
    canBeWorded: false,
  };
}

function listed(links: readonly FileLink[]): Finding {
  const named = links
    .slice(0, MAX_NAMED)
    .map(({ from, line, target }) => `${showPath(from)}:${line} (${target})`);
  const more = links.length - named.length;
  return {
    kind: "dead-link",
    title: {
      en: `Links to notes that are not there: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
      fr: `Liens vers des notes qui n’existent pas : ${named.join(", ")}${more > 0 ? ` et ${more} autres` : ""}`,
    },
    path: links[0]?.from ?? "",
    line: links[0]?.line ?? null,
    changes: [],
    canBeWorded: false,
  };
}
