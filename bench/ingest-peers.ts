import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Where the peers and the files of other people are kept between two runs. */
export const CACHE = path.join(tmpdir(), "coffre-bench-ingest");

/** What a program made of a file, and the processor time it took. */
interface Run {
  readonly text: string;
  readonly cpu: number;
}

export type Reader = (file: string) => Run;

/** Runs a program, and measures the processor time it took. */
export function run(command: string, args: readonly string[], cwd = tmpdir()): Run {
  const script = 'TIMEFORMAT="%U %S"; time "$@" 2>/dev/null';
  const { stdout, stderr } = spawnSync("bash", ["-c", script, "-", command, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 100_000_000,
    timeout: 180_000,
  });
  const [user = 0, system = 0] = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  return { text: stdout, cpu: user + system };
}

/** Installs packages of npm into the cache, once, without running anything of theirs. */
export function npmFolder(name: string, packages: readonly string[]): string {
  const folder = path.join(CACHE, name);
  if (existsSync(path.join(folder, "node_modules"))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed`);
  return folder;
}

const OFFICE_PARSER = `import o from "officeparser"; const a = await o.parseOffice(process.argv[1]); process.stdout.write((await a.to("md")).value);`;
const DEFUDDLE = `import { readFileSync } from "node:fs"; import { Defuddle } from "defuddle/node"; const r = await Defuddle(readFileSync(process.argv[1], "utf8"), "https://example.org/", { markdown: true }); process.stdout.write("# " + r.title + "\\n\\n" + r.content);`;
const LITEPARSE = `import { LiteParse } from "@llamaindex/liteparse"; import { readFileSync } from "node:fs"; const r = await new LiteParse({ outputFormat: "markdown", imageMode: "off", quiet: true, ocrEnabled: false, keepHeadersFooters: true }).parse(readFileSync(process.argv[1])); process.stdout.write(r.pages.map((p) => p.markdown).join("\\n\\n"));`;

const PEERS = ["officeparser@7.8.0", "defuddle@0.19.4", "linkedom@0.18.9"];
const ROOT = path.join(import.meta.dirname, "..");

const pandoc =
  (from: string): Reader =>
  (file) =>
    run("pandoc", ["-f", from, "-t", "gfm", file]);

const inNode =
  (code: string, folder: () => string): Reader =>
  (file) =>
    run(process.execPath, ["--input-type=module", "-e", code, file], folder());

const installed = (): string => npmFolder("peers", PEERS);
const officeparser = inNode(OFFICE_PARSER, installed);

/** Who reads which format beside us. */
export const READERS: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  docx: { pandoc: pandoc("docx"), officeparser },
  odt: { pandoc: pandoc("odt"), officeparser },
  epub: { pandoc: pandoc("epub") },
  html: { pandoc: pandoc("html"), defuddle: inNode(DEFUDDLE, installed) },
  pptx: { officeparser },
  xlsx: { officeparser },
  odp: { officeparser },
  ods: { officeparser },
  csv: { pandoc: pandoc("csv") },
  pdf: {
    pdftotext: (file) => run("pdftotext", [file, "-"]),
    officeparser,
    liteparse: inNode(LITEPARSE, () => ROOT),
  },
};
