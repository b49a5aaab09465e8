import { existsSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { errnoOf, ExpectedError } from "../../errors.ts";
import { PROVIDERS, type ModelChoice } from "./providers.ts";

/*
 * The packages that speak to models are optional: most of what an installation would weigh, and nobody without a model needs them. They
 * are looked for without loading them, so that `coffre status` can say what to install.
 */

/** The SDK that all providers' packages plug into. */
const SDK = "ai";

const Own = z.object({ name: z.string(), peerDependencies: z.record(z.string(), z.string()) });
const Installed = z.object({ version: z.string() });

/** This package, which lies as far above the sources as above what is built from them. */
const OWN_FILE = fileURLToPath(new URL("../../../package.json", import.meta.url));

/**
 * An error with the command that installs what a model needs; null when all of it is there.
 * @param ownFile the `package.json` beside whose package the others must be found
 */
export function missingPackages(
  { provider, model }: Pick<ModelChoice, "provider" | "model">,
  ownFile = OWN_FILE,
): ExpectedError | null {
  const { name, peerDependencies } = Own.parse(JSON.parse(readFileSync(ownFile, "utf8")));
  const needed = [SDK, PROVIDERS[provider].package].map((each) => {
    const range = peerDependencies[each];
    if (range === undefined) throw new Error(`${each} is no peer of ${name}`);
    return { name: each, range, isThere: satisfies(installedVersion(each, ownFile), range) };
  });
  if (needed.every(({ isThere }) => isThere)) return null;
  // All of them, so that one command is right whichever is missing or too old.
  const wanted = needed.map((each) => `${each.name}@${majorOf(each.range)}`);
  return new ExpectedError(
    "unavailable",
    `The model ${provider}/${model} needs packages that are not installed. Install them: ${installCommand(wanted, name, ownFile)}`,
  );
}

/** Null when Node would not find it from `ownFile`. */
function installedVersion(name: string, ownFile: string): string | null {
  let file: string | undefined;
  try {
    file = findPackageJSON(name, ownFile);
  } catch (error) {
    if (errnoOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
  }
  if (file === undefined) return null;
  return Installed.parse(JSON.parse(readFileSync(file, "utf8"))).version;
}

/** Ranges are of the form ^1.2.3. */
function satisfies(version: string | null, range: string): boolean {
  if (version === null) return false;
  const [found = [], least = []] = [version, range.slice(1)].map((each) =>
    each.split(/[-+]/u, 1).flatMap((numbers) => numbers.split(".").map(Number)),
  );
  if (found[0] !== least[0]) return false;
  const difference = found.map((part, at) => part - (least[at] ?? 0)).find((each) => each !== 0);
  return (difference ?? 0) >= 0;
}

function majorOf(range: string): string {
  return /\d+/u.exec(range)?.[0] ?? range;
}

/** The command that puts packages where Node looks for them from here. */
function installCommand(wanted: readonly string[], own: string, ownFile: string): string {
  const modules = path.dirname(path.dirname(ownFile));
  if (path.basename(modules) !== "node_modules")
    return `npm ci --prefix ${quoted(path.dirname(ownFile))}`;
  if (modules.split(path.sep).includes("_npx"))
    return `npx ${[own, ...wanted].map((each) => `--package ${each}`).join(" ")} ${own}`;
  const project = path.dirname(modules);
  const isProject = existsSync(path.join(project, "package.json"));
  return `npm install ${isProject ? `--prefix ${quoted(project)}` : "-g"} ${wanted.join(" ")}`;
}

function quoted(folder: string): string {
  return /^[\w./\\:~-]+$/u.test(folder) ? folder : JSON.stringify(folder);
}
