import { z } from "zod";

import { readSettings, saveSettings } from "./settings-file.ts";

const Stored = z.object({ tidy: z.enum(["daily", "off"]).optional() });

/** Whether a vault is looked through every day: stored in its settings file, and read each time, so that a change counts at once. */
export function dailySetting(state: string): {
  readonly isOn: () => boolean;
  readonly choose: (isOn: boolean) => void;
} {
  return {
    isOn: () =>
      readSettings(state, Stored, (name) => `"tidy" in ${name} is not one of daily, off.`).tidy ===
      "daily",
    choose: (isOn) => saveSettings(state, { tidy: isOn ? "daily" : "off" }),
  };
}
