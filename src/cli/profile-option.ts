import type { Profile } from "../tools/define.ts";
import type { OptionSpec } from "./command.ts";

/** `--profile`, for the commands that give an AI client the tools. */
export const profileOption = {
  kind: "text",
  label: "NAME",
  choices: ["update", "search"],
  summary: "update: look and change (default); search: look and assemble",
} as const satisfies OptionSpec;

export function profileOf(text: string | undefined): Profile {
  return text === "search" ? "search" : "update";
}
