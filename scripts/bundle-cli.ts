/**
 * Joins the built command line into few files, in `dist/bin`. A short command spends most of its time in finding and linking modules, of which
 * the sources and the libraries they need at once have several hundred. Run after `tsc`.
 */
import path from "node:path";

import { build, type Plugin } from "vite";

import { noticesOf } from "./third-party.ts";

const dist = path.join(import.meta.dirname, "..", "dist");

/**
 * Small, and needed by nearly every command, or needed by nothing else, so that nobody installs them besides. Other libraries are loaded from
 * `node_modules` when they are needed.
 */
const BUNDLED = [
  "zod",
  "picomatch",
  "hono",
  "@hono/node-server",
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/core",
];

/** What every command line needs, and what every look at a vault needs: one file each. */
const BASE =
  /\/dist\/(?:errors|config|text\/(?:likeness|words|slug)|cli\/(?:run|output|table|system|commands\/all-commands|vault\/(?:inside-vault|place)))\b/u;
const LOOK =
  /\/dist\/(?:text\/|storage|vault|tools|looking-service|index\/scope|jobs\/owner\/owner-file|server\/(?:client\/(?:answers|transport|vault-)|api\/tool-routes|http\/(?:request|log|parse-events|tool-contract))|cli\/vault\/(?:with-vault|tool-result|read-before))|\/node_modules\/(?:zod|picomatch)\//u;

/** In a joined file, a module still finds what lies beside the file it was made from: templates, workers, the page. */
const ownPlaces: Plugin = {
  name: "own-places",
  enforce: "pre",
  transform(code, id) {
    if (!code.includes("import.meta.") || !id.startsWith(dist)) return null;
    const file = path.relative(dist, id).split(path.sep).join("/");
    const url = `(import.meta.url.replace(/bin\\/[^/]*$/u, ${JSON.stringify(file)}))`;
    const replaced = code
      .replaceAll("import.meta.dirname", `__toPath(new URL(".", ${url}))`)
      .replaceAll("import.meta.filename", `__toPath(${url})`)
      .replaceAll(/import\.meta\.url(?!\.replace\()/gu, url);
    return `import { fileURLToPath as __toPath } from "node:url";\n${replaced}`;
  },
};

/** Messages in fifty languages, of which none but English is used. */
const oneLocale: Plugin = {
  name: "one-locale",
  load: (id) =>
    id.endsWith("/zod/v4/locales/index.js") ? 'export { default as en } from "./en.js";' : null,
};

await build({
  configFile: false,
  root: path.join(dist, ".."),
  logLevel: "warn",
  publicDir: false,
  plugins: [ownPlaces, oneLocale, noticesOf("LICENSES.txt")],
  ssr: { noExternal: BUNDLED, target: "node" },
  build: {
    ssr: path.join(dist, "cli", "main.js"),
    outDir: path.join(dist, "bin"),
    emptyOutDir: true,
    target: "node22",
    minify: false,
    rolldownOptions: {
      // Some are loaded late on purpose by one command and at once by another.
      checks: { ineffectiveDynamicImport: false },
      output: {
        entryFileNames: "coffre.js",
        chunkFileNames: "[name]-[hash].js",
        codeSplitting: {
          groups: [
            { name: "base", test: BASE, priority: 2 },
            { name: "look", test: LOOK, priority: 1 },
          ],
        },
      },
    },
  },
});
