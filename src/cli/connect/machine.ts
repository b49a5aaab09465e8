import path from "node:path";

import { nonEmpty, type Environment } from "../../config.ts";

/** What the place of a client's file depends on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The folder that `project` means. */
  readonly cwd: string;
  readonly environment: Environment;
  readonly exists: (file: string) => boolean;
}

/** An absolute path, as that machine writes it. */
export function pathOn({ platform, cwd }: Machine, ...names: readonly string[]): string {
  return platform === "win32"
    ? path.win32.resolve(cwd, ...names)
    : path.posix.resolve(cwd, ...names);
}

export function variable({ environment }: Machine, name: string): string | undefined {
  return nonEmpty(environment[name]);
}

/** Where programs with windows keep their settings. */
export function settingsFolder(machine: Machine): string {
  const { platform, home } = machine;
  if (platform === "win32") {
    return variable(machine, "APPDATA") ?? pathOn(machine, home, "AppData", "Roaming");
  }
  if (platform === "darwin") return pathOn(machine, home, "Library", "Application Support");
  return variable(machine, "XDG_CONFIG_HOME") ?? pathOn(machine, home, ".config");
}
