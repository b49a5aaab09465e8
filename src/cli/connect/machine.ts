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

export type FileOn = (machine: Machine) => string;

/** An absolute path, as that machine writes it. */
export function pathOn({ platform, cwd }: Machine, ...names: readonly string[]): string {
  return platform === "win32"
    ? path.win32.resolve(cwd, ...names)
    : path.posix.resolve(cwd, ...names);
}

/** A path in the person's home. */
export function inHome(...names: readonly string[]): FileOn {
  return (machine) => pathOn(machine, machine.home, ...names);
}

/** A path in the folder that a client is opened in. */
export function inProject(...names: readonly string[]): FileOn {
  return (machine) => pathOn(machine, ...names);
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
  return dotConfig(machine);
}

/** Where programs of the command line keep theirs, on a Mac too. */
export function dotConfig(machine: Machine): string {
  return variable(machine, "XDG_CONFIG_HOME") ?? pathOn(machine, machine.home, ".config");
}
