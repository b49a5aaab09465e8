import { accessSync, constants, readFileSync, statfsSync } from "node:fs";

import { ExpectedError } from "../../errors.ts";
import type { Status } from "../../server/api/contract.ts";
import { formatBytes } from "../../text/tokens.ts";
import { ok, problem, showFindings, type Finding } from "../output/finding.ts";
import { deepText } from "../output/status-text.ts";
import { defineCommand, type CommandContext, type ExitCode } from "../table/command.ts";
import { placeOf, type Place } from "../vault/place.ts";
import { databaseOption, databaseForVault, withDatabase } from "../vault/team-database.ts";
import { withVault, type ReachedVault } from "../vault/with-vault.ts";

export const doctor = defineCommand({
  name: "doctor",
  summary: "Check the vault and all that is kept of it, and fix what can be fixed",
  details:
    "Compares frontmatter, tree.md and the search index with every file, and makes them right. Never changes a person's text. With --database it compares the contents, histories and indexes of a team's vaults with their hashes and with each other, changes nothing, and says what to do. COFFRE_DATABASE counts with a --vault that is a name, and not a path.",
  options: { database: databaseOption },
  examples: [
    "coffre doctor",
    "coffre doctor --json",
    "coffre doctor --database postgres://coffre@localhost/coffre --vault house",
  ],
  synonyms: ["check", "repair", "fix"],
  run: async (input, context): Promise<ExitCode> => {
    const { screen, named } = context;
    const url = databaseForVault(input.text("database"), context);
    if (url !== undefined) {
      const { databaseFindings } = await import("../vault/check-database.ts");
      const findings = await withDatabase(url, context, async (database) =>
        databaseFindings(database, named.vault, context),
      );
      return showFindings(findings, screen);
    }
    // First the service, which makes a state folder that is missing.
    const found = await serviceFindings(context);
    return showFindings([...folderFindings(placeOf(context)), ...found], screen);
  },
});

/** What the running service finds, or one that is started for this; a wrong setting keeps both from starting. */
async function serviceFindings(context: CommandContext): Promise<Finding[]> {
  try {
    return await withVault(context, "long", async (vault) => [
      await historyFinding(vault),
      ...(await contentFindings(vault)),
      await linksFinding(vault),
      await deepFinding(vault, context),
    ]);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return [problem(error.message)];
  }
}

/** What `deep` will use, and why. That it is nothing is no problem. */
async function deepFinding(
  { client, owner, place }: ReachedVault,
  { environment }: CommandContext,
): Promise<Finding> {
  const { deepSettings } = await import("../../settings.ts");
  const { chooseDeep } = await import("../../index/deep/choose-engine.ts");
  const { why, advice } = chooseDeep(deepSettings(place.state, environment));
  const deep = owner === null ? null : (await client.status()).deep;
  if (deep !== null && deep.problem !== null) {
    return problem(`${why} But: ${deep.problem}`, "Until it is fixed, deep searches by words.");
  }
  const progress = deep === null ? "" : ` The service: ${deepText(deep)}.`;
  return ok(`${why}${progress}`, advice ?? undefined);
}

/** Below this much room, a write may fail at any time. */
const LEAST_ROOM = 100e6;

function folderFindings({ root, state }: Place): Finding[] {
  return [folderFinding("The vault", root), folderFinding("The state folder", state)];
}

function folderFinding(name: string, folder: string): Finding {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return problem(
      `${name} ${folder} cannot be written to.`,
      `Give yourself the right to: chmod u+rwx, or chown, on ${folder}.`,
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  const room = bavail * bsize;
  if (room >= LEAST_ROOM) return ok(`${name} ${folder} can be written to.`);
  return problem(
    `${name} ${folder} has only ${formatBytes(room)} of room left.`,
    "Make room on that disk: nothing is lost when it is full, but nothing can be written.",
  );
}

async function historyFinding({ client, place }: ReachedVault): Promise<Finding> {
  try {
    const { entries, bytes } = (await client.vault()).history;
    return ok(`The history has ${entries} changes, ${formatBytes(bytes)}.`);
  } catch (error) {
    return problem(
      `The history cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      `Move ${place.state}/history.sqlite away: a new one is begun, and the old one stays readable.`,
    );
  }
}

/** Compares everything with the files. */
async function contentFindings({ client, owner }: ReachedVault): Promise<Finding[]> {
  const found = await client.rescan();
  if (owner === null) await client.settle(true);
  const [status, { folders }] = [await client.status(), await client.vault()];
  return [
    owner === null
      ? ok("No service runs; commands work by themselves.")
      : watcherFinding(status, owner.pid),
    watchFinding(folders + 1),
    ...comparedFindings(found, status),
  ];
}

/** Dead links that are listed. */
const MOST_DEAD = 20;

/** People link to notes that they mean to write: that is no problem. */
async function linksFinding({ client }: ReachedVault): Promise<Finding> {
  const { total, links } = await client.deadLinks(MOST_DEAD);
  if (total === 0) return ok("Every link leads to a file.");
  const indent = " ".repeat(9);
  const rows = links.map(({ path, line, target }) => `${path}:${line}  ${target}`);
  const rest = total > rows.length ? ["…"] : [];
  return ok(`Links that lead to no file: ${total}.`, [...rows, ...rest].join(`\n${indent}`));
}

function watcherFinding({ watcher }: Status, pid: number): Finding {
  return watcher.alive
    ? ok(`A service runs (pid ${pid}) and its file watcher receives events.`)
    : problem(
        `The file watcher of the service (pid ${pid}) receives no events.`,
        "Stop it and start it again: coffre serve.",
      );
}

function comparedFindings(
  { changed, gone }: { changed: number; gone: number },
  status: Pick<Status, "index" | "alarms" | "left" | "lastError">,
): Finding[] {
  const { files, chunks } = status.index;
  return [
    changed + gone === 0
      ? ok(`Frontmatter, tree.md and the index (${files} files in ${chunks} sections) are right.`)
      : {
          state: "mended",
          what: `Files that had changed unnoticed: ${changed}; gone: ${gone}. Frontmatter, tree.md and index follow.`,
        },
    ...status.alarms.map((alarm) => problem(alarm)),
    ...status.left
      // Anything else that is left as it is, a person wrote so.
      .filter(({ reason = "invalid" }) => reason === "invalid")
      .map(({ path, problem: why }) =>
        problem(
          `The frontmatter of ${path} is left as it is: ${why}.`,
          "Correct it in any editor; it is checked again when the file changes.",
        ),
      ),
    ...status.left
      .filter(({ reason }) => reason === "not-utf8")
      .map(({ path }) =>
        problem(
          `${path} is not UTF-8 text, and is not searched.`,
          "Save it as UTF-8 in any editor; it is searched when the file changes.",
        ),
      ),
    ...(status.lastError === null ? [] : [problem(`The last error was: ${status.lastError}`)]),
  ];
}

/** Linux gives each user a number of watches; each folder takes one. */
function watchFinding(folders: number): Finding {
  const limit = watchLimit();
  if (limit === null || folders < limit * 0.8) {
    return ok(folders === 1 ? "1 folder can be watched." : `${folders} folders can be watched.`);
  }
  return problem(
    `The vault has ${folders} folders, and this system lets a user watch ${limit}.`,
    `Raise it: sudo sysctl fs.inotify.max_user_watches=${folders * 4}`,
  );
}

function watchLimit(): number | null {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
  } catch {
    return null;
  }
}
