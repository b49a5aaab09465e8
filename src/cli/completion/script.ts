import type { Command } from "../table/command.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

/** The completion script of a shell: bash, zsh or fish. */
export function completionScript(shell: string, commands: readonly Command[]): string {
  if (shell === "zsh") return zshCompletion(commands);
  return shell === "fish" ? fishCompletion(commands) : bashCompletion(commands);
}
