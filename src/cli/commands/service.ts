import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { homeFolder, nonEmpty, vaultId } from "../../config.ts";
import { ExpectedError, explainErrno } from "../../errors.ts";
import { arg, type CommandContext, defineCommand } from "../table/command.ts";
import { launchOf } from "../connect/launch.ts";
import { placeOf } from "../vault/place.ts";
import { launchdUnit, systemdUnit, type ServiceUnit } from "./service-unit.ts";
import { shellQuote } from "../system/shell-quote.ts";

export const service = defineCommand({
  name: "service",
  summary: "Have the system start coffre serve when you log in, and keep it running",
  positionals: {
    action: arg.one("ACTION", "install, uninstall, or print what install would write", {
      choices: ["install", "uninstall", "print"],
    }),
  },
  options: {
    port: arg.number("N", "Where browsers and HTTP reach it: 4117"),
  },
  details:
    "A systemd unit of this user on Linux, a launchd agent on macOS; one for each vault. On Windows, let the Task Scheduler run coffre serve at log-on.",
  examples: [
    "coffre service install",
    "coffre service install --vault ~/notes --port 4200",
    "coffre service print",
  ],
  synonyms: ["autostart", "systemd", "launchd"],
  run: async (input, context) => {
    const { screen } = context;
    const unit = unitFor(input.number("port"), context);
    const action = input.one("action");
    const said =
      action === "print" ? unit.text : action === "install" ? install(unit) : uninstall(unit);
    screen.show({ action, file: unit.file, text: unit.text }, () => said);
  },
});

function unitFor(port: number | undefined, context: CommandContext): ServiceUnit {
  const { environment } = context;
  const place = placeOf(context);
  const options = port === undefined ? [] : ["--port", String(port)];
  const launch = launchOf("serve", place, context, options);
  const facts = {
    launch,
    id: vaultId(place.root),
    vault: place.root,
    home: homeFolder(environment),
    configHome: nonEmpty(environment["XDG_CONFIG_HOME"]),
  };
  if (process.platform === "linux") return systemdUnit(facts);
  if (process.platform === "darwin") return launchdUnit(facts);
  const words = [launch.command, ...launch.args].map(shellQuote).join(" ");
  throw new ExpectedError(
    "unavailable",
    `This system has neither systemd nor launchd. Have it run this when you log in: ${words}`,
  );
}

function install({ file, text, enable }: ServiceUnit): string {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw explainErrno(error, file);
  }
  const failed = runAll(enable);
  if (failed === null) return `Wrote ${file}. The service runs now, and whenever you log in.`;
  throw new ExpectedError("unavailable", `Wrote ${file}, but could not start it: ${failed}`);
}

function uninstall({ file, disable }: ServiceUnit): string {
  if (!existsSync(file)) return `Nothing to do: there is no ${file}.`;
  const failed = runAll(disable);
  rmSync(file, { force: true });
  if (failed === null) return `Stopped the service and removed ${file}.`;
  throw new ExpectedError("unavailable", `Removed ${file}, but could not stop it: ${failed}`);
}

/** What went wrong with the first that failed, and what to type; null when all is well. */
function runAll(commands: readonly (readonly string[])[]): string | null {
  for (const [program = "", ...args] of commands) {
    const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8" });
    if (status === 0) continue;
    const why = error?.message ?? stderr.trim();
    const words = [program, ...args].map(shellQuote).join(" ");
    return `${words} failed${why === "" ? "" : ` (${why})`}. Type it where you are logged in.`;
  }
  return null;
}
