import { createRequire } from "node:module";

import type * as Yaml from "yaml";

const require = createRequire(import.meta.url);
/** Errors without lines of the text, and no warnings on standard error: they would quote a person's notes. */
export const QUIET = { prettyErrors: false, logLevel: "error" } as const;

let loaded: typeof Yaml | null = null;

/** The YAML library, loaded when it is first needed: it has 72 modules, and a command that only looks parses no YAML. */
export function yamlLibrary(): typeof Yaml {
  loaded ??= load();
  return loaded;
}

function load(): typeof Yaml {
  return require("yaml");
}
