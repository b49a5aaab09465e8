import type { Finder } from "../finding.ts";
import { inboxLineEdit } from "../inbox-line.ts";
import { editOf } from "../relink.ts";

/** The line of the overview that says how many inbox items wait. The proposals themselves may be counted in it or not: they go with their answer. */
export const inboxCount: Finder = {
  kind: "inbox-count",
  find: async ({ inbox, page }) => {
    const overview = await page("overview.md");
    if (overview === null) return [];
    const edit = inboxLineEdit(overview.lines, inbox.others);
    if (edit === null || inboxLineEdit(overview.lines, inbox.all) === null) return [];
    // The words of a new vault say what belongs here, and no number yet.
    if (!/^(?:\d|nothing|rien)/iu.test(overview.lines[edit.start - 1] ?? "")) return [];
    return [
      {
        kind: "inbox-count",
        title: {
          en: `vault/overview.md gives a wrong number of inbox items: there are ${inbox.others}`,
          fr: `vault/overview.md donne un nombre faux d’éléments à trier : il y en a ${inbox.others}`,
        },
        path: "overview.md",
        line: overview.skipped + edit.start,
        changes: [editOf(overview, [edit])],
        canBeWorded: false,
      },
    ];
  },
};
