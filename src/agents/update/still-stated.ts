import { z } from "zod";

import { linesStillSaying } from "../../tidy/finders/replaced-facts.ts";
import { pageReader } from "../../tidy/pages.ts";
import { replacementsIn } from "../../tidy/replacements-in.ts";
import { quoted } from "../../tidy/units.ts";
import { asMeant } from "../../tools/as-meant.ts";
import { Replaces } from "../../tools/replacing/replaces.ts";
import { joinPath, parsePath, showPath } from "../../vault/paths.ts";
import type { ReadingParts } from "../agent-run.ts";
import { isFromOutside } from "../inbox/untrusted-mark.ts";
import { projectNames } from "../without-model/closest-projects.ts";

const Replacing = z.object({ path: z.string(), replaces: Replaces });

/** Shown at most: the others are few, and found by the next tidying. */
const MOST = 8;

/**
 * What is told beside the answer to a call that wrote what replaces something: the lines of the person's own pages that still state the old
 * value. Null when there is none.
 * @param args of the call, which was made
 */
export async function stillStated(
  args: unknown,
  { vault, index }: Pick<ReadingParts, "vault" | "index">,
): Promise<string | null> {
  const asked = Replacing.safeParse(asMeant(Replacing, args)).data;
  if (asked === undefined || asked.replaces.length === 0) return null;
  const replaced = asked.replaces.map(({ path }) => parsePath(path).path);
  const stated = await replacementsIn(parsePath(asked.path).path, replaced, vault);
  const page = pageReader(vault);
  const lines = await linesStillSaying(stated, {
    index,
    projects: (await projectNames(vault)).map((name) => joinPath("projects", name)),
    page: async (path) => ((await isFromOutside(vault, path)) ? null : page(path)),
  });
  if (lines.length === 0) return null;
  const rows = lines
    .slice(0, MOST)
    .map(
      ({ path, line, text, replacement: { value } }) =>
        `- ${showPath(path)}:${line} (${value ?? ""}): ${quoted(text)}`,
    );
  const more = lines.length > MOST ? `\n- and ${lines.length - MOST} more lines` : "";
  return `The old value still stands in:\n${rows.join("\n")}${more}\nCorrect each line that is no longer true.`;
}
