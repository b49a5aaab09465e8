/**
 * Puts a library of which little is used into the built files that import it, so that nobody installs the rest of it: `turndown` brings a DOM
 * of 9 MB that is not used here, `@orama/stemmers` the stemmers of thirty languages. Run after `tsc`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { build } from "vite";

import { noticesOf } from "./third-party.ts";

const root = path.join(import.meta.dirname, "..");
const dist = path.join(root, "dist");
const folder = path.join(dist, "embedded");

/** What is imported, and the name of its file. */
const EMBEDDED: Readonly<Record<string, string>> = {
  turndown: "turndown.js",
  "@orama/stemmers/english": "english-stemmer.js",
  "@orama/stemmers/french": "french-stemmer.js",
};

/** The build of turndown for browsers parses no HTML by itself, which it is never asked for: it is given a parsed document. */
const alias = { turndown: "turndown/lib/turndown.browser.es.js" };

await build({
  configFile: false,
  root,
  logLevel: "warn",
  publicDir: false,
  resolve: { alias },
  plugins: [noticesOf("LICENSES.txt")],
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: true,
    outDir: folder,
    emptyOutDir: true,
    target: "node22",
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(
        Object.entries(EMBEDDED).map(([name, file]) => [path.parse(file).name, name]),
      ),
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});

for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".js") || name.startsWith("embedded") || name.startsWith("web")) continue;
  const file = path.join(dist, name);
  const code = readFileSync(file, "utf8");
  const replaced = code.replaceAll(/(?<= from )"([^".][^"]*)"/gu, (whole, imported: string) => {
    const embedded = EMBEDDED[imported];
    if (embedded === undefined) return whole;
    const relative = path.relative(path.dirname(file), path.join(folder, embedded));
    return JSON.stringify(relative.split(path.sep).join("/"));
  });
  if (replaced !== code) writeFileSync(file, replaced);
}
