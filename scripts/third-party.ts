import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import type { Plugin } from "vite";
import { z } from "zod";

const Facts = z.object({ name: z.string(), version: z.string(), license: z.string() });

/**
 * Writes the licences of the packages that a build joins into its files, as they ask for.
 * @param fileName where they are written, in the build's folder
 */
export function noticesOf(fileName: string): Plugin {
  return {
    name: "third-party-notices",
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const id of chunk.moduleIds) {
          const folder = packageFolder(id);
          if (folder !== null) folders.add(folder);
        }
      }
      const source = [...folders]
        .toSorted()
        .map((folder) => notice(folder))
        .join("\n\n");
      this.emitFile({ type: "asset", fileName, source: `${source}\n` });
    },
  };
}

/** The folder of the package that a module is of; null for a module of ours. */
function packageFolder(id: string): string | null {
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//u.exec(id)?.[1] ?? null;
}

function notice(folder: string): string {
  const { name, version, license } = Facts.parse(
    JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")),
  );
  const file = readdirSync(folder).find((each) => /^licen[cs]e/iu.test(each));
  const text = file === undefined ? "" : readFileSync(path.join(folder, file), "utf8").trim();
  return `# ${name} ${version} (${license})\n\n${text}`.trim();
}
