/** The measured part of `docs/benchmarks.md`, and its plots; what people wrote around it stays. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { isBetter, ratioOf, shown, shownSpread, type Results, type Row } from "./figures.ts";
import { plot } from "./plot.ts";

const BEGIN = "<!-- measured by npm run bench -->";
const END = "<!-- end of what is measured -->";

/** Plots by the file's name: the row, and its title. */
const PLOTS = {
  "bench-search": ["search, rare words", "Search over MCP, rare words (median)"],
  "bench-start": [
    "start of the MCP server until a first search is answered",
    "Start until the first answer (median)",
  ],
  "bench-found": [
    "another program's write until a search finds it",
    "Another program's write until it is found (median)",
  ],
  "bench-memory": [
    "memory of the MCP server after all of this",
    "Memory of the MCP server after all calls",
  ],
} as const;

/** Writes the part of the page between the two marks, and the plots. */
export function writeReport(results: Results, docs: string): void {
  const page = path.join(docs, "benchmarks.md");
  const text = readFileSync(page, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${page} lacks the marks ${BEGIN} and ${END}`);
  const plots = writePlots(results, path.join(docs, "images"));
  const measured = [BEGIN, "", ...reportLines(results, plots), "", END].join("\n");
  writeFileSync(page, text.slice(0, begin) + measured + text.slice(end + END.length));
}

function reportLines(results: Results, plots: readonly string[]): string[] {
  const { at, isFull, machine, minutes, versions, rows } = results;
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    "## Side by side",
    "",
    `\`npm run bench${isFull ? " -- --full" : ""}\` on ${at}, ${minutes.toFixed(0)} minutes, ${machine}. Beside: ${named.join(", ")}.`,
    "Medians, with the quarters around them where there were three rounds or more; × is how many times ours a figure is. **Better** marks what does better than coffre.",
    "",
    "| what | files | goal | coffre | beside |",
    "| --- | ---: | --- | --- | --- |",
    ...rows.map((row) => tableRow(row)),
    "",
    "### Where others are better",
    "",
    ...betterLines(rows),
    "",
    ...plots,
  ];
}

/** One line for each thing that others do better, with who and in vaults of which sizes. */
function betterLines(rows: readonly Row[]): string[] {
  const found = rows.flatMap((row) =>
    row.beside.filter((each) => isBetter(each, row)).map(({ name }) => ({ ...row, name })),
  );
  if (found.length === 0) return ["Nowhere in this run."];
  return [...Map.groupBy(found, ({ what }) => what)].map(([what, those]) => {
    const names = [...Map.groupBy(those, ({ name }) => name)].map(([name, same]) => {
      const sizes = same.flatMap(({ files }) => (files === null ? [] : [inWords(files)]));
      return sizes.length === 0 ? name : `${name} (${sizes.join("; ")} files)`;
    });
    return `- ${what}: ${names.join(", ")}`;
  });
}

function tableRow(row: Row): string {
  const { what, files, goal, isMet, unit, ours, beside } = row;
  const verdict = isMet === null ? "" : isMet ? ", met" : ", **missed**";
  const others = beside.map((each) => {
    const figure = shownSpread(each.figure, unit);
    return `${each.name} ${figure}, ${ratioOf(each, row)}${isBetter(each, row) ? " **better**" : ""}`;
  });
  const cells = [
    what,
    files === null ? "" : inWords(files),
    goal === null ? "none" : goal + verdict,
    shownSpread(ours, unit),
    others.length === 0 ? "nobody" : others.join("<br>"),
  ];
  return `| ${cells.join(" | ")} |`;
}

function writePlots({ rows }: Results, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(PLOTS).flatMap(([name, [what, title]]) => {
    const same = rows.filter((row) => row.what === what && row.files !== null);
    const unit = same[0]?.unit;
    if (same.length < 2 || unit === undefined) return [];
    const names = [...new Set(same.flatMap(({ beside }) => beside.map((each) => each.name)))];
    const lines = ["coffre", ...names].map((line) => ({
      name: line,
      points: same.flatMap(({ files, ours, beside }) => {
        const figure = line === "coffre" ? ours : beside.find((each) => each.name === line)?.figure;
        return figure === undefined || files === null ? [] : [{ files, value: figure.median }];
      }),
    }));
    writeFileSync(
      path.join(folder, `${name}.svg`),
      plot(title, lines, (value) => shown(value, unit)),
    );
    return [`![${title}, by the number of files](images/${name}.svg)`, ""];
  });
}

function inWords(files: number): string {
  return files.toLocaleString("en");
}
