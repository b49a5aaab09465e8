/** The arguments that say what a call is about, in the order they are shown. The text that a call writes is not among them. */
const SAYING = ["queries", "paths", "path", "from", "to", "files", "question"];

/** What a call is about, for people who watch: its words and paths. Empty for arguments that a model wrote wrongly. */
export function callAbout(args: unknown): string {
  if (typeof args !== "object" || args === null) return "";
  const given = new Map<string, unknown>(Object.entries(args));
  const { length } = stringsIn(given.get("to"));
  const said = SAYING.flatMap((key) => stringsIn(given.get(key)));
  return said.join(length > 0 ? " → " : ", ");
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  if (Array.isArray(value)) return value.flatMap((each) => stringsIn(each));
  if (typeof value !== "object" || value === null) return [];
  const path: unknown = Object.entries(value).find(([key]) => key === "path")?.[1];
  return stringsIn(path);
}
