/** The first part of the addresses of the settings. */
export const SETTINGS = "/settings";

/** The parts of the settings; those after the first are for owners. */
export const PARTS = ["you", "people", "log"] as const;
export type Part = (typeof PARTS)[number];

export function settingsAddress(part: Part): string {
  return part === "you" ? SETTINGS : `${SETTINGS}/${part}`;
}
