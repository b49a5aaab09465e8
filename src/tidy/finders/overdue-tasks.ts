import { joinPath, showPath } from "../../vault/paths.ts";
import { blocksOf } from "../changelog-blocks.ts";
import type { Finder, Finding } from "../finding.ts";

const STATUS = /^status\s*:\s*([^|]*)/iu;
const DEADLINE = /(?:^|\|)\s*(?:deadline|due|échéance|echeance)\s*:\s*(\d{4}-\d{2}-\d{2})/iu;
const DONE =
  /^(?:done|finished|closed|cancelled|canceled|dropped|fait|faite|fini|finie|terminée?|close|annulée?|abandonnée?)\b/iu;

/** Tasks whose day is past. Whether they are done, later or dropped is the person's to say. */
export const overdueTasks: Finder = {
  kind: "overdue",
  find: async ({ projects, page, today }) => {
    const found: Finding[] = [];
    for (const path of ["tasks.md", ...projects.map((each) => joinPath(each, "tasks.md"))]) {
      const tasks = await page(path);
      if (tasks === null) continue;
      for (const { start, end, title } of blocksOf(tasks.lines)) {
        const lines = tasks.lines.slice(start, end);
        const status = lines.flatMap((line) => STATUS.exec(line)?.[1]?.trim() ?? [])[0];
        const at = lines.findIndex((line) => DEADLINE.test(line));
        const day = DEADLINE.exec(lines[at] ?? "")?.[1];
        // Without a status line it is no task of ours.
        if (status === undefined || day === undefined || day >= today || DONE.test(status))
          continue;
        found.push({
          kind: "overdue",
          title: {
            en: `Overdue since ${day}: ${title} (${showPath(path)})`,
            fr: `En retard depuis le ${day} : ${title} (${showPath(path)})`,
          },
          path,
          line: tasks.skipped + start + at + 1,
          changes: [],
          canBeWorded: false,
        });
      }
    }
    return found;
  },
};
