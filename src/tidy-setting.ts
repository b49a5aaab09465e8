import { z } from "zod";

import type { SettingsStore } from "./settings-file.ts";

const Stored = z.object({ tidy: z.enum(["daily", "off"]).optional() });

/** Whether a vault is looked through every day: stored in its settings file, and read each time, so that a change counts at once. */
export function dailySetting(settings: SettingsStore): {
  readonly isOn: () => boolean;
  readonly choose: (isOn: boolean) => Promise<void> | void;
} {
  return {
    isOn: () =>
      settings.read(Stored, (name) => `"tidy" in ${name} is not one of daily, off.`).tidy ===
      "daily",
    choose: (isOn) => settings.save({ tidy: isOn ? "daily" : "off" }),
  };
}
