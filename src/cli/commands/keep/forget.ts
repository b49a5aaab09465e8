import type { ForgottenAnswer, StandingAnswer } from "../../../server/api/forget-contract.ts";
import { Prompt } from "../../table/prompt.ts";
import { arg, defineCommand, UsageError, type CommandContext } from "../../table/command.ts";
import { withVault } from "../../vault/with-vault.ts";

export const forget = defineCommand({
  name: "forget",
  summary: "Remove for good what must not exist: from notes, history, index, queue and log",
  positionals: {
    what: arg.one("PATH|TEXT", "A file or folder of the vault, else a text wherever it stands"),
  },
  options: {
    path: arg.flag("It is a path, also of what was removed before"),
    text: arg.flag("It is a text, also if a file has that name"),
    "dry-run": arg.flag("Only show where it stands"),
    yes: arg.flag("Do it without asking"),
  },
  details:
    "Shows where it stands and asks. It cannot be undone: of a path, all versions go; a text is cut out of notes, and other files that hold it go, also where it is compressed in them, as in a PDF. Afterwards the bytes of everything that is kept are searched for it. Backups, copies of other programs, and what a disk keeps of deleted blocks are out of reach.",
  examples: [
    "coffre forget vault/projects/old/state.md",
    'coffre forget "the password" --text',
    "coffre forget vault/inbox/2026-01-02-mail/ --yes",
  ],
  synonyms: ["erase", "purge", "shred", "wipe"],
  run: async (input, context) => {
    if (input.flag("path") && input.flag("text"))
      throw new UsageError("Give --path or --text, not both.");
    const as = input.flag("path") ? "path" : input.flag("text") ? "text" : null;
    const { screen } = context;
    return withVault(context, "long", async ({ client }) => {
      const standing = await client.standing(input.one("what"), as);
      const isNowhere = placesOf(standing).length === 0;
      if (isNowhere || input.flag("dry-run")) {
        screen.show(standing, () => standingText(standing));
        return 0;
      }
      if (!input.flag("yes") && !(await isConfirmed(standing, context))) {
        screen.warn("Nothing was removed.");
        return 1;
      }
      screen.progress("Removing it, and looking for what is left");
      try {
        const done = await client.forget(input.one("what"), standing.as);
        screen.progress(null);
        const isProved = done.left.length === 0 && outOfProof(done) === 0;
        if (isProved) screen.show(done, () => doneText(done));
        else screen.showFailed(done, () => doneText(done));
        return isProved ? 0 : 1;
      } finally {
        screen.progress(null);
      }
    });
  },
});

async function isConfirmed(
  standing: StandingAnswer,
  { screen, stdin }: CommandContext,
): Promise<boolean> {
  const input = stdin();
  if (input.isTTY !== true)
    throw new UsageError("Nobody can be asked here. Say --yes to remove it, or --dry-run to look.");
  screen.warn(standingText(standing));
  const prompt = new Prompt(input, screen);
  try {
    const answer = await prompt.ask("This cannot be undone. Type yes to remove all of it:");
    return ["yes", screen.translate("yes")].includes(answer.trim().toLowerCase());
  } finally {
    await prompt.close();
  }
}

function placesOf(standing: StandingAnswer): string[] {
  const { files, names, indexed, history, queue, previews, logLines, state } = standing;
  const lines: readonly (readonly [number, string])[] = [
    [indexed, `  ${indexed} files in the search index, with their vectors`],
    [
      history.changes,
      `  ${history.changes} changes of the history, with ${history.versions} versions`,
    ],
    [queue, `  ${queue} updates of the queue`],
    [previews, `  ${previews} changes that wait for a yes`],
    [logLines, `  ${logLines} lines of the log`],
  ];
  return [
    ...files.map(({ path, whole }) =>
      whole ? `  ${path}: the whole file` : `  ${path}: the text in it`,
    ),
    ...names.map((path) => `  ${path}: in its name`),
    ...lines.filter(([count]) => count > 0).map(([, line]) => line),
    ...state.map((name) => `  ${name} in the state folder`),
  ];
}

function standingText(standing: StandingAnswer): string {
  const places = placesOf(standing);
  const { value } = standing;
  return [
    places.length === 0 ? `Nothing of ${value} is kept.` : `${value} stands in:`,
    ...places,
    ...outOfReach(standing),
  ].join("\n");
}

/** What is neither removed nor proved to be without it. */
function outOfReach({ untouched, unread, unreadVersions }: StandingAnswer): string[] {
  return [
    ...untouched.map(
      (name) => `  ${name}: no part of the vault, so it is left; remove it yourself`,
    ),
    ...unread.map((name) => `  ${name}: cannot be read, so it may stand there; look yourself`),
    ...(unreadVersions === 0
      ? []
      : [
          `  ${unreadVersions} versions of compressed files in the history: cannot be read, so it may stand there; forget their paths`,
        ]),
  ];
}

/** How much could not be searched. */
function outOfProof({ unread, unreadVersions }: StandingAnswer): number {
  return unread.length + unreadVersions;
}

function doneText(done: ForgottenAnswer): string {
  const { value, left } = done;
  if (left.length > 0)
    return [
      `${value} was removed, but something of it is left in:`,
      ...left.map((name) => `  ${name}`),
      "Stop the service and call coffre forget once more; a settings file is yours to change.",
      ...outOfReach(done),
    ].join("\n");
  return [
    outOfProof(done) > 0
      ? `${value} is forgotten as far as could be searched:`
      : `${value} is forgotten: nothing of it is left in the bytes that are kept.`,
    ...outOfReach(done),
  ].join("\n");
}
