import type { Profile } from "../../tools/define.ts";
import type { OptionSpec } from "./command.ts";

/** `--profile`, for the commands that give an AI client the tools. */
export const profileOption = {
  kind: "text",
  label: "NAME",
  choices: ["update", "search", "memory"],
  summary:
    "update: look and change (default); search: look and assemble; memory: hand over and ask, without files",
} as const satisfies OptionSpec;

/** What an AI client is given: the tools of a profile, or the vault as a memory. */
export type ClientProfile = Profile | "memory";

export function profileOf(text: string | undefined): ClientProfile {
  return text === "search" || text === "memory" ? text : "update";
}
