import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { debianFolder, written, xmlTruth, type Sample } from "./ingest-corpus.ts";
import { npmFolder, run } from "./ingest-peers.ts";
import { htmlTruth, truthOf, wordsTruth, type Truth } from "./ingest-truth.ts";

/*
 * Files that no program of ours and no pandoc wrote: saved by LibreOffice, or shipped by packages. What is a heading, an item or a row of
 * them is told by what LibreOffice makes of them in a format that says so.
 */

/** Saves files again in another format; by the name of each without its extension. Those that cannot be opened are missing. */
export function savedAs(
  folder: string,
  files: readonly string[],
  format: string,
  more: readonly string[] = [],
): Map<string, string> {
  const [extension = format] = format.split(":");
  const out = mkdtempSync(path.join(folder, "saved-"));
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const args = [profile, "--headless", ...more, "--convert-to", format, "--outdir", out];
  run("soffice", [...args, ...files]);
  return new Map(
    readdirSync(out)
      .filter((name) => name.endsWith(`.${extension}`))
      .map((name) => [name.slice(0, -extension.length - 1), path.join(out, name)]),
  );
}

/** From what pandoc wrote to what LibreOffice saves: the format, its source, and the kind that is measured. */
const SAVED: readonly (readonly [string, string])[] = [
  ["docx", "odt"],
  ["odt", "docx"],
  ["html", "odt"],
  ["pptx", "odp"],
  ["odp", "pptx"],
];

/** The documents of the written samples as LibreOffice saves them, and their tables as its sheets. */
export function* savedSamples(folder: string, texts: readonly string[]): Generator<Sample> {
  const names = texts.map((_, at) => `d${at}`);
  const truths = new Map(names.map((name, at) => [name, truthOf(texts[at] ?? "")]));
  for (const [type, source] of SAVED) {
    const sources = texts.flatMap((text, at) => sourceOf(folder, `d${at}`, source, text) ?? []);
    yield* samplesOf(savedAs(folder, sources, type), type, truths);
  }
  const sheets = names.map((name) => {
    const rows = truths.get(name)?.rows ?? [];
    const file = path.join(folder, `${name}.csv`);
    writeFileSync(file, rows.map((row) => row.map(quoted).join(",")).join("\n"));
    return [name, { ...wordsTruth(rows.flat().join(" ")), rows }] as const;
  });
  // Cells in quotes stay texts.
  const filter = ["--infilter=Text - txt - csv (StarCalc):44,34,76,1,,1033,true"];
  const files = sheets.map(([name]) => path.join(folder, `${name}.csv`));
  for (const type of ["xlsx", "ods"])
    yield* samplesOf(savedAs(folder, files, type, filter), type, new Map(sheets));
}

/** As pandoc writes it; it writes no ODP, which is saved from its PPTX. */
function sourceOf(folder: string, name: string, type: string, text: string): string | null {
  if (type !== "odp") return written(folder, name, type, text);
  const show = written(folder, name, "pptx", text);
  return show === null ? null : (savedAs(folder, [show], "odp").get(name) ?? null);
}

function* samplesOf(
  files: ReadonlyMap<string, string>,
  type: string,
  truths: ReadonlyMap<string, Truth>,
): Generator<Sample> {
  for (const [name, file] of files) {
    const truth = truths.get(name);
    if (truth !== undefined) yield { type, file, truth };
  }
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/** Packages of Debian with files of other people: of R's readers of office files, and mails of Python's tests. */
const PACKAGES = [
  "r-cran-readxl",
  "r-cran-openxlsx",
  "r-cran-officer",
  "r-cran-rio",
  "r-cran-readr",
  "libpython3.11-testsuite",
];
const KINDS = /\.(docx|pptx|xlsx|ods|csv)$|test_email\/data\/msg_\d+\.(txt)$/u;

/** Office files, tables and mails that packages ship. */
export function* shippedSamples(folder: string): Generator<Sample> {
  const spectrum = path.join(
    npmFolder("tables", ["csv-spectrum@2.0.0"]),
    "node_modules/csv-spectrum",
  );
  for (const root of [...PACKAGES.map(debianFolder), spectrum]) {
    for (const entry of readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted()) {
      const [, kind, mail] = KINDS.exec(entry) ?? [];
      const source = path.join(root, entry);
      if (mail !== undefined) yield* mailSample(folder, source);
      else if (kind === "csv") yield { type: kind, file: source, truth: rowsTruth(source) };
      else if (kind !== undefined)
        yield { type: kind, file: source, truth: withStructure(folder, source, kind) };
    }
  }
}

/** Words by the XML of a file, its structure by what LibreOffice makes of it. */
export function withStructure(folder: string, file: string, type: string): Truth {
  const words = xmlTruth(file, type);
  if (type === "docx") {
    const [page] = savedAs(folder, [file], "html").values();
    if (page === undefined) return words ?? wordsTruth("");
    const twin = htmlTruth([readFileSync(page, "utf8")]);
    return { ...twin, words: words?.words ?? twin.words };
  }
  if (type !== "xlsx" && type !== "ods") return words ?? wordsTruth("");
  const all = "csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true,true,false,false,-1";
  const sheets = [...savedAs(folder, [file], all).values()];
  const rows = sheets.flatMap((sheet) => rowsTruth(sheet).rows.map((row) => row.map(isoDay)));
  return { ...(words ?? wordsTruth(rows.flat().join(" "))), rows };
}

/** LibreOffice writes days as its language does; here they are the same for every program. */
function isoDay(cell: string): string {
  return cell.replace(
    /^(\d\d?)\/(\d\d?)\/(\d{4})/u,
    (_, month: string, day: string, year: string) =>
      `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  );
}

const READ_CSV =
  "import csv, json, sys; csv.field_size_limit(10**9); print(json.dumps([r for r in csv.reader(open(sys.argv[1], newline='', encoding='utf-8', errors='replace')) if any(r)]))";

/** As Python reads a table. */
function rowsTruth(file: string): Truth {
  const rows: string[][] = JSON.parse(run("python3", ["-c", READ_CSV, file]).text || "[]");
  return { ...wordsTruth(rows.flat().join(" ")), rows: rows.filter((row) => row.length > 1) };
}

const READ_MAIL = `
import email, email.policy, html, re, sys
m = email.message_from_binary_file(open(sys.argv[1], "rb"), policy=email.policy.default)
b = m.get_body(preferencelist=("html", "plain"))
t = b.get_content() if b is not None else ""
if b is not None and b.get_content_subtype() == "html":
    t = html.unescape(re.sub(r"(?is)<head.*?</head>|<[^>]*>", " ", t))
print(m["subject"] or "", t)
`;

/** A mail with at least what every mail has, as Python reads it. */
function* mailSample(folder: string, source: string): Generator<Sample> {
  const head = readFileSync(source, "latin1").slice(0, 4000);
  const { text } = run("python3", ["-c", READ_MAIL, source]);
  if (!/^From:/imu.test(head) || !/^(?:Date|Received):/imu.test(head) || text === "") return;
  const file = path.join(folder, `${path.basename(source, ".txt")}.eml`);
  copyFileSync(source, file);
  yield { type: "eml", file, truth: wordsTruth(text) };
}
