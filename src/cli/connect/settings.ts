/** What a client's file says, or a part of it. */
export type Settings = Readonly<Record<string, unknown>>;

export function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
