import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { ConverterProcess } from "../src/ingest/convert/converter-process.ts";
import { kindOf } from "../src/ingest/convert/file-kind.ts";
import { DEFAULT_LIMITS } from "../src/ingest/limits.ts";
import {
  debianSamples,
  npmSamples,
  readmes,
  writtenSamples,
  type Sample,
} from "./ingest-corpus.ts";
import { savedSamples, shippedSamples, withStructure } from "./ingest-office.ts";
import { READERS } from "./ingest-peers.ts";
import { scoreOf, type Truth } from "./ingest-truth.ts";

/*
 * Ingest next to pandoc, pdftotext, officeparser, defuddle and liteparse: documentation that was written in each format for this, the same as
 * LibreOffice saves it, documentation of Debian's packages, and files that packages of npm and Debian ship. Needs Debian's pandoc, poppler-utils and libreoffice; fetches the rest into a
 * temporary folder. `--only npm`, `--type pdf` measure a part, `--each` prints every file.
 */

/** Of the converting process, which is the one child of this process that runs its file. */
function cpuOfConverter(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").trim();
  const found = children
    .split(" ")
    .find((id) => readFileSync(`/proc/${id}/cmdline`, "utf8").includes("converter-main"));
  if (found === undefined) return 0;
  const fields = readFileSync(`/proc/${found}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

class Sum {
  files = 0;
  recall = 0;
  cpu = 0;
  structure = [0, 0, 0];
  of = [0, 0, 0];

  add(truth: Truth, text: string, cpu: number): string {
    const score = scoreOf(truth, text);
    this.files += 1;
    this.recall += score.recall;
    this.cpu += cpu;
    const found = [score.headings, score.items, score.rows];
    this.structure = found.map((each, at) => each + (this.structure[at] ?? 0));
    this.of = [truth.headings, truth.items, truth.rows].map(
      (all, at) => all.length + (this.of[at] ?? 0),
    );
    return `${score.recall.toFixed(3)} ${found.join(" ")}`;
  }

  row(what: string, who: string): string {
    const parts = this.structure.map((found, at) =>
      this.of[at] === 0 ? "–" : `${found}/${this.of[at]}`,
    );
    return `| ${what} | ${who} | ${this.files} | ${(this.recall / this.files).toFixed(3)} | ${parts.join(" | ")} | ${(this.cpu / this.files).toFixed(3)} |`;
  }
}

const converter = new ConverterProcess(DEFAULT_LIMITS);
/** So many files at the beginning are read once more: a process that has just started compiles what it runs. */
let isWarm = false;

async function ours(file: string): Promise<{ text: string; cpu: number }> {
  const bytes = readFileSync(file);
  const name = path.basename(file);
  const job = { name, bytes, kind: await kindOf(name, bytes), limits: DEFAULT_LIMITS, ocr: {} };
  if (!isWarm) await converter.convert(job);
  isWarm = true;
  const before = cpuOfConverter();
  try {
    const { title, markdown } = await converter.convert(job);
    // As the note has it.
    const heading = title === null || markdown.startsWith("#") ? "" : `# ${title}\n\n`;
    return { text: heading + markdown, cpu: cpuOfConverter() - before };
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return { text: "", cpu: cpuOfConverter() - before };
  }
}

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

const folder = mkdtempSync(path.join(tmpdir(), "coffre-bench-"));
const sources: Readonly<Record<string, () => Iterable<Sample>>> = {
  written: () => writtenSamples(folder),
  saved: () => savedSamples(folder, readmes()),
  debian: debianSamples,
  npm: () => npmSamples((file, kind) => withStructure(folder, file, kind)),
  shipped: () => shippedSamples(folder),
};
const [only, type] = [argument("--only"), argument("--type")];
try {
  console.log(
    "| files | program | number | recall | headings | list items | table rows | CPU s a file |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
  const sums = new Map<string, Map<string, Sum>>();
  for (const [source, samples] of Object.entries(sources)) {
    if (only !== undefined && only !== source) continue;
    for (const sample of samples()) {
      if (type !== undefined && type !== sample.type) continue;
      const what = `${source} ${sample.type}`;
      const all = sums.get(what) ?? new Map<string, Sum>();
      sums.set(what, all);
      const results = new Map([["coffre", await ours(sample.file)]]);
      for (const [peer, reader] of Object.entries(READERS[sample.type] ?? {}))
        if (!process.argv.includes("--alone")) results.set(peer, reader(sample.file));
      for (const [who, { text, cpu }] of results) {
        const sum = all.get(who) ?? new Sum();
        all.set(who, sum);
        const score = sum.add(sample.truth, text, cpu);
        if (process.argv.includes("--each"))
          process.stderr.write(`${path.basename(sample.file)} ${who} ${score} ${cpu.toFixed(2)}\n`);
      }
    }
  }
  for (const [what, all] of sums) for (const [who, sum] of all) console.log(sum.row(what, who));
} finally {
  converter.close();
  rmSync(folder, { recursive: true, force: true });
}
