import { accessSync, constants, readFileSync, statfsSync } from "node:fs";

import { ExpectedError } from "../../errors.ts";
import type { Status } from "../../server/api/contract.ts";
import { formatBytes } from "../../text/tokens.ts";
import { deepText } from "../output/status-text.ts";
import { defineCommand, type CommandContext, type ExitCode } from "../table/command.ts";
import { placeOf, type Place } from "../vault/place.ts";
import { withVault, type ReachedVault } from "../vault/with-vault.ts";

/** What a check found: nothing, something that it fixed (`mended`, a public name), or something that a person has to fix. */
interface Finding {
  readonly state: "ok" | "mended" | "problem";
  readonly what: string;
  /** For a problem: what to do. */
  readonly advice?: string;
}

export const doctor = defineCommand({
  name: "doctor",
  summary: "Check the vault and all that is kept of it, and fix what can be fixed",
  details:
    "Compares frontmatter, tree.md and the search index with every file, and makes them right. Never changes a person's text.",
  examples: ["coffre doctor", "coffre doctor --json"],
  synonyms: ["check", "repair", "fix", "verify"],
  run: async (_, context): Promise<ExitCode> => {
    // First the service, which makes a state folder that is missing.
    const found = await serviceFindings(context);
    const findings = [...folderFindings(placeOf(context)), ...found];
    context.screen.show(findings, () => findings.map(findingText).join("\n"));
    return findings.some(({ state }) => state === "problem") ? 1 : 0;
  },
});

/** What the running service finds, or one that is started for this; a wrong setting keeps both from starting. */
async function serviceFindings(context: CommandContext): Promise<Finding[]> {
  try {
    return await withVault(context, "long", async (vault) => [
      await historyFinding(vault),
      ...(await contentFindings(vault)),
      await deepFinding(vault, context),
    ]);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return [{ state: "problem", what: error.message }];
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
  const problem = deep?.problem ?? null;
  if (problem !== null) {
    const what = `${why} But: ${problem}`;
    return { state: "problem", what, advice: "Until it is fixed, deep searches by words." };
  }
  const progress = deep === null ? "" : ` The service: ${deepText(deep)}.`;
  return { state: "ok", what: `${why}${progress}`, ...(advice === null ? {} : { advice }) };
}

function findingText({ state, what, advice }: Finding): string {
  const mark = { ok: "ok", mended: "fixed", problem: "PROBLEM" }[state];
  return `${mark.padEnd(9)}${what}${advice === undefined ? "" : `\n${" ".repeat(9)}${advice}`}`;
}

/** Below this much room, a write may fail at any time. */
const LEAST_ROOM = 100e6;

function folderFindings({ root, state }: Place): Finding[] {
  return [
    { name: "The vault", folder: root },
    { name: "The state folder", folder: state },
  ].map(({ name, folder }): Finding => {
    try {
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch {
      return {
        state: "problem",
        what: `${name} ${folder} cannot be written to.`,
        advice: `Give yourself the right to: chmod u+rwx, or chown, on ${folder}.`,
      };
    }
    const { bavail, bsize } = statfsSync(folder);
    const room = bavail * bsize;
    if (room < LEAST_ROOM) {
      return {
        state: "problem",
        what: `${name} ${folder} has only ${formatBytes(room)} of room left.`,
        advice:
          "Make room on that disk: nothing is lost when it is full, but nothing can be written.",
      };
    }
    return { state: "ok", what: `${name} ${folder} can be written to.` };
  });
}

async function historyFinding({ client, place }: ReachedVault): Promise<Finding> {
  try {
    const { entries, bytes } = (await client.vault()).history;
    return { state: "ok", what: `The history has ${entries} changes, ${formatBytes(bytes)}.` };
  } catch (error) {
    return {
      state: "problem",
      what: `The history cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      advice: `Move ${place.state}/history.sqlite away: a new one is begun, and the old one stays readable.`,
    };
  }
}

/** Compares everything with the files. */
async function contentFindings({ client, owner }: ReachedVault): Promise<Finding[]> {
  const found = await client.rescan();
  if (owner === null) await client.settle(true);
  const [status, { folders }] = [await client.status(), await client.vault()];
  return [
    owner === null
      ? { state: "ok", what: "No service runs; commands work by themselves." }
      : watcherFinding(status, owner.pid),
    watchFinding(folders + 1),
    ...comparedFindings(found, status),
  ];
}

function watcherFinding({ watcher }: Status, pid: number): Finding {
  return watcher.alive
    ? { state: "ok", what: `A service runs (pid ${pid}) and its file watcher receives events.` }
    : {
        state: "problem",
        what: `The file watcher of the service (pid ${pid}) receives no events.`,
        advice: "Stop it and start it again: coffre serve.",
      };
}

function comparedFindings(
  { changed, gone }: { changed: number; gone: number },
  status: Pick<Status, "index" | "alarms" | "left" | "lastError">,
): Finding[] {
  const { files, chunks } = status.index;
  return [
    changed + gone === 0
      ? {
          state: "ok",
          what: `Frontmatter, tree.md and the index (${files} files in ${chunks} sections) are right.`,
        }
      : {
          state: "mended",
          what: `Files that had changed unnoticed: ${changed}; gone: ${gone}. Frontmatter, tree.md and index follow.`,
        },
    ...status.alarms.map((what): Finding => ({ state: "problem", what })),
    ...status.left.map(({ path, problem }): Finding => ({
      state: "problem",
      what: `The frontmatter of ${path} is left as it is: ${problem}.`,
      advice: "Correct it in any editor; it is checked again when the file changes.",
    })),
    ...(status.lastError === null
      ? []
      : [{ state: "problem", what: `The last error was: ${status.lastError}` } as const]),
  ];
}

/** Linux gives each user a number of watches; each folder takes one. */
function watchFinding(folders: number): Finding {
  const limit = watchLimit();
  if (limit === null || folders < limit * 0.8) {
    return { state: "ok", what: `${folders} folders can be watched.` };
  }
  return {
    state: "problem",
    what: `The vault has ${folders} folders, and this system lets a user watch ${limit}.`,
    advice: `Raise it: sudo sysctl fs.inotify.max_user_watches=${folders * 4}`,
  };
}

function watchLimit(): number | null {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
  } catch {
    return null;
  }
}
