/** Builds the page when there is none, or when its sources changed since. */
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

import { build } from "vite";

const root = path.join(import.meta.dirname, "..");
const sources = path.join(root, "web");
const built = path.join(root, "dist", "web", "index.html");

function newestSource(): number {
  // The page shares some functions of src/text with the service, and the texts with the command line.
  const shared = ["text", "texts"].map((folder) => path.join(root, "src", folder));
  const files = [sources, ...shared].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
      path.join(folder, file),
    ),
  );
  const all = [...files, path.join(root, "package-lock.json")];
  return Math.max(...all.map((file) => statSync(file).mtimeMs));
}

/** @returns whether it had to be built */
export async function ensurePage(): Promise<boolean> {
  if (existsSync(built) && statSync(built).mtimeMs >= newestSource()) return false;
  process.stderr.write("Building the page, once…\n");
  await build({
    root: sources,
    configFile: path.join(sources, "vite.config.ts"),
    logLevel: "warn",
  });
  return true;
}
