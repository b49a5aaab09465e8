import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { Plugin } from "vite";

import { oneScript } from "./one-script.ts";

/** What only the vaults of a team need. */
const TEAM = /\/web\/team\/|\/texts\/page\/\w+-team\.ts$/u;

const WORKER = path.join(import.meta.dirname, "..", "worker");

/**
 * Builds the service worker, `worker.js`, which has the names of all other files of the page in it, so that each build has a worker and
 * a cache of its own; and the script of the document that it shows while the service is away.
 */
export function appWorker(folder: string): Plugin {
  return {
    name: "coffre-app-worker",
    apply: "build",
    // By then the files are there: a bundle also names chunks that nothing needs and that are not written.
    async writeBundle(_, bundle) {
      const assets = path.join(folder, "assets");
      const script = await oneScript(path.join(WORKER, "retry.ts"));
      const retry = `retry-${shortHash(script)}.js`;
      writeFileSync(path.join(assets, retry), script);
      const names = readdirSync(assets).toSorted();
      const style = names.find((name) => /^first-.*\.css$/u.test(name));
      if (style === undefined) throw new Error("the page has no stylesheet");
      const ofTeams = new Set(
        Object.values(bundle).flatMap((chunk) => {
          if (chunk.type !== "chunk") return [];
          const modules = [chunk.facadeModuleId ?? "", ...chunk.moduleIds];
          return modules.some((id) => TEAM.test(id)) ? [path.basename(chunk.fileName)] : [];
        }),
      );
      const kept = names.filter((name) => !ofTeams.has(name));
      const files = kept.map((name) => `/assets/${name}`);
      const worker = await oneScript(path.join(WORKER, "worker.ts"), {
        PAGE_FILES: JSON.stringify(files),
        PAGE_BUILD: JSON.stringify(shortHash(files.join("\n"))),
        PAGE_STYLE: JSON.stringify(`/assets/${style}`),
        RETRY_SCRIPT: JSON.stringify(`/assets/${retry}`),
      });
      writeFileSync(path.join(folder, "worker.js"), worker);
    },
  };
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}
