import { sentencesOf } from "../../evidence/doubts.ts";
import { factsIn, SourceFacts } from "../../evidence/facts-in.ts";
import { languageOfText } from "../../text/language.ts";
import { wordsOf } from "../../text/words.ts";
import { joinPath, nameOf, showPath, type VaultPath } from "../../vault/paths.ts";
import type { Finder, Finding, LineEdit, TidyContext } from "../finding.ts";
import type { Page } from "../pages.ts";
import { editOf } from "../relink.ts";
import { lineOf, quoted, unitsOf, type Unit } from "../units.ts";

const PROJECTS = /^(?:projects|projets)$/iu;
const STATUS = /^(?:status|statut|état|etat)$/iu;
/** Smaller figures are said of anything. */
const LEAST_FIGURE = 10;
const MAX_STATUS_WORDS = 4;
const MAX_SENTENCE = 200;

/** What the overview says of projects, and their own pages do not. */
export const overviewUnlikeState: Finder = {
  kind: "overview",
  find: async (context) => {
    const overview = await context.page("overview.md");
    if (overview === null) return [];
    const units = unitsOf(overview.lines);
    const found: Finding[] = [];
    const unnamed: Project[] = [];
    for (const path of context.projects) {
      const project = await projectAt(path, context);
      const named = units.filter(({ text }) => isNamed(text, nameOf(path)));
      // Another section may speak of it in passing.
      const unit = named.find(({ section }) => PROJECTS.test(section)) ?? named[0];
      if (project.state === null && project.description === null) continue;
      if (unit === undefined) unnamed.push(project);
      else found.push(...compared(overview, unit, project));
    }
    const added = missingLines(overview, units, unnamed);
    return [
      ...(added === null ? [] : [added]),
      ...found,
      ...(await gone(overview, units, context)),
    ];
  },
};

interface Project {
  readonly name: string;
  readonly path: VaultPath;
  readonly state: Page | null;
  readonly description: Page | null;
  readonly tasks: Page | null;
}

async function projectAt(path: VaultPath, { page }: TidyContext): Promise<Project> {
  return {
    name: nameOf(path),
    path,
    state: await page(joinPath(path, "state.md")),
    description: await page(joinPath(path, "description.md")),
    tasks: await page(joinPath(path, "tasks.md")),
  };
}

function spelled(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}

function isNamed(text: string, name: string): boolean {
  return spelled(text).includes(spelled(name));
}

/** How a project stands, in a few words of its own state page. */
function statusOf({ state }: Project): string | null {
  const unit = unitsOf(state?.lines ?? []).find(({ section }) => STATUS.test(section));
  const sentence = (sentencesOf(unit?.text ?? "")[0] ?? "").replace(/[.!…]+$/u, "").trim();
  const words = wordsOf(sentence).length;
  if (words === 0 || words > MAX_STATUS_WORDS || /[()[\]]/u.test(sentence)) return null;
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function compared(overview: Page, unit: Unit, project: Project): Finding[] {
  if (project.state === null) return [];
  const status = statusDiffers(overview, unit, project);
  const pages = [project.state, project.description, project.tasks];
  const source = new SourceFacts(pages.flatMap((page) => page?.lines ?? []).join("\n"));
  const { dates, figures } = factsIn(unit.text.replaceAll(/\[\[[^\]]*\]\]|\]\([^)]*\)/gu, " "));
  const unlike = [
    ...figures.filter((figure) => figure.value >= LEAST_FIGURE && !source.hasFigure(figure)),
    ...dates.filter((date) => !source.hasDate(date)),
  ].map(({ written }) => written);
  const [first] = unlike;
  if (first === undefined) return status === null ? [] : [status];
  const [said, state] = [unlike.join(", "), showPath(project.state.path)];
  const finding: Finding = {
    kind: "overview",
    title: {
      en: `vault/overview.md says ${said} of ${project.name}, which ${state} does not say`,
      fr: `vault/overview.md dit ${said} de ${project.name}, ce que ${state} ne dit pas`,
    },
    path: "overview.md",
    line: overview.skipped + lineOf(overview.lines, unit, first),
    changes: [],
    canBeWorded: true,
  };
  return status === null ? [finding] : [status, finding];
}

/** `**name** (active)`, while the state page says that it is paused. */
function statusDiffers(overview: Page, unit: Unit, project: Project): Finding | null {
  const status = statusOf(project);
  if (status === null) return null;
  for (let line = unit.start; line <= unit.end; line += 1) {
    const text = overview.lines[line - 1] ?? "";
    const found = /\*\*([^*]+)\*\*\s*\(([^()]+)\)/u.exec(text);
    const [whole = "", name = "", said = ""] = found ?? [];
    if (found === null || !isNamed(name, project.name)) continue;
    const [a, b] = [spelled(said), spelled(status)];
    if (a.includes(b) || b.includes(a)) return null;
    const at = found.index + whole.lastIndexOf(`(${said})`) + 1;
    const changed = text.slice(0, at) + status + text.slice(at + said.length);
    const state = showPath(project.state?.path ?? "");
    return {
      kind: "overview",
      title: {
        en: `vault/overview.md calls ${project.name} "${said}", ${state} says "${status}"`,
        fr: `vault/overview.md dit de ${project.name} « ${said} », ${state} dit « ${status} »`,
      },
      path: "overview.md",
      line: overview.skipped + line,
      changes: [editOf(overview, [{ start: line, end: line, lines: [changed] }])],
      canBeWorded: false,
    };
  }
  return null;
}

/** A line for each project that the map does not name, in the words of its own pages. */
function missingLines(
  overview: Page,
  units: readonly Unit[],
  projects: readonly Project[],
): Finding | null {
  const { lines } = overview;
  const heading = lines.findIndex((line) => PROJECTS.test(line.replace(/^#+\s+/u, "").trim()));
  if (projects.length === 0 || heading < 0 || !/^#{1,6}\s/u.test(lines[heading] ?? "")) return null;
  const isFrench = languageOfText(lines.join("\n")) === "fr";
  const last = units.findLast(({ section }) => PROJECTS.test(section));
  const place = (last?.end ?? heading + 1) + 1;
  const isList = last !== undefined && /^\s*[-*+]\s/u.test(lines[last.start - 1] ?? "");
  const added = projects.map((project) => lineFor(project, isFrench));
  const names = projects.map(({ name }) => name).join(", ");
  const edit: LineEdit = {
    start: place,
    end: place - 1,
    lines: isList ? added : ["", ...added],
  };
  return {
    kind: "overview",
    title: {
      en: `vault/overview.md does not name ${names}`,
      fr: `vault/overview.md ne nomme pas ${names}`,
    },
    path: "overview.md",
    line: overview.skipped + heading + 1,
    changes: [editOf(overview, [edit])],
    canBeWorded: false,
  };
}

function lineFor(project: Project, isFrench: boolean): string {
  const { name, path, description, state } = project;
  const status = statusOf(project);
  const own = unitsOf((description ?? state)?.lines ?? [])[0]?.text ?? "";
  const sentence = quotedSentence(sentencesOf(own)[0] ?? "");
  const page = state === null ? "description" : "state";
  const see = `${isFrench ? "Voir" : "See"} [[${path}/${page}]].`;
  const colon = sentence === "" ? "." : `${isFrench ? " :" : ":"} ${sentence}`;
  return `- **${name}**${status === null ? "" : ` (${status})`}${colon} ${see}`;
}

function quotedSentence(text: string): string {
  const plain = text.replaceAll(/\s+/gu, " ").trim();
  if (plain.length <= MAX_SENTENCE) return plain;
  return quoted(plain);
}

/** Projects that the map links to, and that are not there. */
async function gone(
  overview: Page,
  units: readonly Unit[],
  { projects, isThere }: TidyContext,
): Promise<Finding[]> {
  const known = new Set(projects.map((path) => nameOf(path).normalize("NFC").toLowerCase()));
  const missing = new Map<string, number>();
  for (const unit of units) {
    for (const [, name = ""] of unit.text.matchAll(/\[\[(?:vault\/)?projects\/([^/\]|#]+)\//gu)) {
      const isKnown = known.has(name.normalize("NFC").toLowerCase());
      if (!isKnown && !missing.has(name)) missing.set(name, lineOf(overview.lines, unit, name));
    }
  }
  for (const name of missing.keys()) if (await isThere(`projects/${name}`)) missing.delete(name);
  return [...missing].map(([name, line]) => ({
    kind: "overview",
    title: {
      en: `vault/overview.md speaks of projects/${name}/, which is not there`,
      fr: `vault/overview.md parle de projects/${name}/, qui n’existe pas`,
    },
    path: "overview.md",
    line: overview.skipped + line,
    changes: [],
    canBeWorded: true,
  }));
}
