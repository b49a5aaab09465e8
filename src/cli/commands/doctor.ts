import { accessSync, constants, readFileSync, statfsSync } from "node:fs";

import type { ServiceStatus } from "../../service-status.ts";
import { ExpectedError } from "../../errors.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { formatBytes } from "../../text/tokens.ts";
import type { Vault } from "../../vault/vault.ts";
import { defineCommand, type CommandContext, type ExitCode } from "../table/command.ts";
import { withVault } from "../vault/open-vault.ts";
import { withOwner } from "../vault/owner.ts";
import { deepText } from "../output/status-text.ts";

/** What a check found: all right, mended on the spot, or something a person must see to. */
interface Finding {
  readonly state: "ok" | "mended" | "problem";
  readonly what: string;
  /** For a problem: what to do. */
  readonly advice?: string;
}

export const doctor = defineCommand({
  name: "doctor",
  summary: "Check the vault and all that is kept of it, and mend what can be mended",
  group: "Vault",
  positionals: {},
  options: {},
  details:
    "Compares frontmatter, tree.md and the search index with every file, and makes them right. Never changes a person's text.",
  examples: ["coffre doctor", "coffre doctor --json"],
  synonyms: ["check", "repair", "fix", "verify"],
  run: async (_, context) =>
    withVault(context, async (vault): Promise<ExitCode> => {
      const findings = [
        await historyFinding(vault),
        ...folderFindings(vault),
        ...(await contentFindings(vault)),
        await deepFinding(vault, context),
      ];
      const { screen } = context;
      if (screen.json) screen.printJson(findings);
      else screen.print(findings.map(findingText).join("\n"));
      return findings.some(({ state }) => state === "problem") ? 1 : 0;
    }),
});

/** What `deep` will use, and why. That it is nothing is no problem. */
async function deepFinding(vault: Vault, { environment }: CommandContext): Promise<Finding> {
  try {
    const { deepSettings } = await import("../../deep-config.ts");
    const { chooseDeep } = await import("../../index/deep/choose-engine.ts");
    const { why, advice } = chooseDeep(deepSettings(vault.state, environment));
    const told = await withOwner(vault, async (owner) => (await owner.status()).deep);
    const problem = told?.problem ?? null;
    if (problem !== null) {
      return {
        state: "problem",
        what: `${why} But: ${problem}`,
        advice: "Until it is mended, deep goes by words.",
      };
    }
    const progress = told === null ? "" : ` The service: ${deepText(told)}.`;
    return { state: "ok", what: `${why}${progress}`, ...(advice === null ? {} : { advice }) };
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return { state: "problem", what: error.message };
  }
}

function findingText({ state, what, advice }: Finding): string {
  const mark = { ok: "ok", mended: "mended", problem: "PROBLEM" }[state];
  return `${mark.padEnd(9)}${what}${advice === undefined ? "" : `\n${" ".repeat(9)}${advice}`}`;
}

/** Below this much room, a write may fail at any time. */
const LEAST_ROOM = 100e6;

function folderFindings({ root, state }: Vault): Finding[] {
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

async function historyFinding(vault: Vault): Promise<Finding> {
  try {
    const { entries, bytes } = await vault.historySize();
    return { state: "ok", what: `The history has ${entries} changes, ${formatBytes(bytes)}.` };
  } catch (error) {
    return {
      state: "problem",
      what: `The history cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      advice: `Move ${vault.state}/history.sqlite away: a new one is begun, and the old can be looked into.`,
    };
  }
}

/** Compares everything with the files: through the running service, or, when there is none, in its place. */
async function contentFindings(vault: Vault): Promise<Finding[]> {
  try {
    const told = await withOwner(vault, async (owner) => {
      const count = await owner.rescan();
      return { count, status: await owner.status(), pid: owner.owner.pid };
    });
    if (told !== null) {
      const { alive, folders } = told.status.watcher;
      return [
        alive
          ? { state: "ok", what: `A service runs (pid ${told.pid}) and hears of changes.` }
          : {
              state: "problem",
              what: `The service (pid ${told.pid}) does not hear of changes.`,
              advice: "Stop it and start it again: coffre serve.",
            },
        watchFinding(folders + told.status.watcher.unwatched),
        ...comparedFindings(told.count, told.status),
      ];
    }
    const { createService } = await import("../../compose.ts");
    const changed = new Set<VaultPath>();
    const gone = new Set<VaultPath>();
    const service = await createService({
      root: vault.root,
      state: vault.state,
      isWatching: false,
      onDone: (done) => {
        for (const path of done.changed) changed.add(path);
        for (const path of done.gone) gone.add(path);
      },
    });
    try {
      await service.rescan();
      await service.settled();
      const count = { changed: changed.size, gone: gone.size };
      const folders = (await vault.scan()).filter(({ kind }) => kind === "folder").length;
      return [
        { state: "ok", what: "No service runs; commands work by themselves." },
        watchFinding(folders + 1),
        ...comparedFindings(count, await service.status()),
      ];
    } finally {
      await service.close();
    }
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return [{ state: "problem", what: error.message }];
  }
}

function comparedFindings(
  { changed, gone }: { changed: number; gone: number },
  status: Pick<ServiceStatus, "index" | "alarms" | "left" | "lastError">,
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
      advice: "Mend it in any editor; it is looked at again when the file changes.",
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
