import { realpathSync } from "node:fs";
import path from "node:path";

import { vaultFolder, type Environment } from "../../config.ts";
import type { Command, Values } from "../table/command.ts";

/**
 * The same values, with absolute paths of this machine that lie inside the vault as paths of the vault: shells and file managers complete and
 * copy those. Others stay as they are, and are refused where they are used.
 */
export function pathsInside(values: Values, command: Command, environment: Environment): Values {
  const specs = Object.entries({ ...command.positionals, ...command.options });
  const names = specs
    .filter(([, spec]) => spec.kind !== "flag" && spec.completes === "vault-path")
    .map(([name]) => name)
    .filter((name) => values.texts.get(name)?.some((text) => path.isAbsolute(text)));
  if (names.length === 0) return values;
  const folder = vaultFolder(values.texts.get("vault")?.[0], environment);
  const texts = new Map(values.texts);
  for (const name of names) {
    texts.set(
      name,
      (texts.get(name) ?? []).map((text) => pathInside(text, folder)),
    );
  }
  return { ...values, texts };
}

function pathInside(text: string, folder: string): string {
  if (!path.isAbsolute(text)) return text;
  // The folder as it was named, and where links lead: either may have been typed.
  for (const [root, file] of [
    [folder, path.normalize(text)],
    [realPath(folder), realPath(path.normalize(text))],
  ] as const) {
    const inside = path.relative(root, file);
    if (inside === ".." || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) continue;
    const end = /[\\/]$/u.test(text) && inside !== "" ? "/" : "";
    return `vault/${inside.split(path.sep).join("/").replace(/\/$/u, "")}${end}`;
  }
  return text;
}

/** Where links lead, as far as the path exists. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}
