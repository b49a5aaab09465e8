import { ExpectedError } from "../../errors.ts";
import { joinPath, type VaultPath } from "../../vault/paths.ts";
import { callAsSearcher, type ReadingParts } from "../agent-run.ts";
import { FORMATS } from "../formats.ts";
import { itemFolder, wholeText } from "../inbox/inbox.ts";
import { isFromOutside } from "../inbox/untrusted-mark.ts";
import { isForeignLayout, layoutText } from "../update/vault-layout.ts";
import { closestProjects, projectNames, queryOf } from "../without-model/closest-projects.ts";
import type { FilingHelp } from "./filing-contract.ts";

const KEEP = `- An old statement that stays (a changelog entry, raw material): name its path, lines and old value as replaces of the append or edit that says the new one.
- Keep the person's words. Write nothing that the note does not say. When you are not sure where it belongs, ask the person.`;

const RULES = `- Append what was done or decided to the changelog.md of its project, at the top (vault/changelog.md if it has none).
- Edit state.md where the note changes how things stand; edit replaces one exact passage of a file.
- Append what is to do to the tasks.md of its project, at the bottom; vault/tasks.md is for what belongs to no project.
- What fits nowhere becomes a new file in a bucket/ folder.
${KEEP}

${FORMATS}`;

/** Characters of the map that are shown, and tokens of passages. */
const MAX_MAP = 1500;
const MAX_PASSAGES = 1500;

/** Throws `not_found`. */
export async function filingHelp(ref: string, parts: ReadingParts): Promise<FilingHelp> {
  const { vault } = parts;
  const folder = await itemFolder(vault, ref);
  const text = await textAt(joinPath(folder, "original.md"), parts);
  // What others wrote is not shown beside the rules for changing pages.
  const conceals = async (path: VaultPath): Promise<boolean> => isFromOutside(vault, path);
  const call = callAsSearcher(parts, conceals);
  const { projects } = await closestProjects(text, vault, call);
  const rules = (await isForeignLayout(vault))
    ? `${await layoutText(vault, await projectNames(vault))}\n${KEEP}`
    : RULES;
  const overview = (await conceals("overview.md")) ? "" : await textAt("overview.md", parts);
  const map = overview.slice(0, MAX_MAP).toWellFormed();
  return {
    ref,
    rules: map === "" ? rules : `${rules}\n\nFrom vault/overview.md:\n\n${map}`,
    projects: [...projects],
    passages: await passagesOn(text, call),
  };
}

async function passagesOn(text: string, call: ReturnType<typeof callAsSearcher>): Promise<string> {
  const query = queryOf(text);
  if (query === "") return "";
  const { content, isError } = await call("search", {
    queries: [query],
    scopes: ["vault/"],
    limit: 5,
  });
  const [first] = content;
  if (isError || first?.type !== "text") return "";
  return first.text.slice(0, MAX_PASSAGES * 4).toWellFormed();
}

/** Empty when there is no such file. */
async function textAt(path: string, { vault }: ReadingParts): Promise<string> {
  try {
    return await wholeText(vault, path);
  } catch (error) {
    if (error instanceof ExpectedError) return "";
    throw error;
  }
}
