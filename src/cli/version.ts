import { readFileSync } from "node:fs";

/** The version in `package.json`, which lies as far above the sources as above what is built from them. */
export function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const facts: unknown = JSON.parse(text);
  const isNamed = typeof facts === "object" && facts !== null && "version" in facts;
  return isNamed ? String(facts.version) : "unknown";
}
