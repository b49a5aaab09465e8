import { ExpectedError } from "../../errors.ts";
import { joinPath } from "../../vault/paths.ts";
import { callAsSearcher, type ReadingParts } from "../agent-run.ts";
import { itemFolder, wholeText } from "../inbox/inbox.ts";
import { closestProjects, queryOf } from "../without-model/closest-projects.ts";
import type { FilingHelp } from "./filing-contract.ts";

const RULES = `- Append what was done or decided to the project's changelog.md, at the top, under a heading "# YYYY-MM-DD" and "## Title".
- Edit state.md where the note changes how things stand; edit replaces one exact passage of a file.
- Tasks go to vault/tasks.md. What fits nowhere becomes a new file in a bucket/ folder.
- Keep the person's words. Write nothing that the note does not say. When you are not sure where it belongs, ask the person.`;

/** Characters of the map that are shown, and tokens of passages. */
const MAX_MAP = 1500;
const MAX_PASSAGES = 1500;

/** Throws `not_found`. */
export async function filingHelp(ref: string, parts: ReadingParts): Promise<FilingHelp> {
  const { vault } = parts;
  const folder = await itemFolder(vault, ref);
  const text = await textAt(joinPath(folder, "original.md"), parts);
  const call = callAsSearcher(parts);
  const { projects } = await closestProjects(text, vault, call);
  const map = (await textAt("overview.md", parts)).slice(0, MAX_MAP).toWellFormed();
  return {
    ref,
    rules: map === "" ? RULES : `${RULES}\n\nFrom vault/overview.md:\n\n${map}`,
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
