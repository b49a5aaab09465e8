import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

import { ZipReader } from "../src/ingest/convert/zip-reader.ts";
import { DEFAULT_LIMITS } from "../src/ingest/limits.ts";
import { CACHE, npmFolder, run } from "./ingest-peers.ts";
import { htmlTruth, truthOf, wordsTruth, type Truth } from "./ingest-truth.ts";

/** A file to read, with what it holds. */
export interface Sample {
  readonly type: string;
  readonly file: string;
  readonly truth: Truth;
}

const ROOT = path.join(import.meta.dirname, "..");
const WRITTEN = ["docx", "odt", "epub", "html", "pptx", "pdf"];
const MAX_DOCUMENTS = 12;

/** Documentation that npm packages ship as markdown, written by pandoc in each format; PDF by LibreOffice. Pandoc reads its own writing here. */
export function* writtenSamples(folder: string): Generator<Sample> {
  for (const type of WRITTEN) {
    for (const [at, text] of readmes().entries()) {
      const file = written(folder, `d${at}`, type, text);
      if (file !== null) yield { type, file, truth: truthOf(text) };
    }
  }
}

/** With some structure, neither tiny nor huge. */
export function readmes(): string[] {
  const modules = path.join(ROOT, "node_modules");
  return (
    readdirSync(modules)
      .map((name) => path.join(modules, name, "README.md"))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, "utf8"))
      .filter(
        (text) =>
          text.length > 4000 &&
          text.length < 30_000 &&
          /^\|.*\|$/mu.test(text) &&
          /^[-*] /mu.test(text),
      )
      .slice(0, MAX_DOCUMENTS)
      // Pandoc would fetch pictures from their servers.
      .map((text) => text.replaceAll(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])|<img\b[^>]*>/gu, ""))
  );
}

/** A document in a format; null when it cannot be written. One that is there stays. */
export function written(folder: string, name: string, format: string, text: string): string | null {
  const file = path.join(folder, `${name}.${format}`);
  if (existsSync(file)) return file;
  const source = path.join(folder, `${name}.md`);
  writeFileSync(source, text);
  const title = `title=${name}`;
  if (format === "pdf") printed(folder, path.join(folder, `${name}.docx`));
  else run("pandoc", ["-f", "gfm", "-t", format, "-s", "--metadata", title, "-o", file, source]);
  return existsSync(file) ? file : null;
}

function printed(folder: string, source: string): void {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  run("soffice", [profile, "--headless", "--convert-to", "pdf", "--outdir", folder, source]);
}

/** Files of Debian's packages, and their twins: the same document in a format that says what its parts are. */
const DEBIAN: readonly (readonly [string, string, string])[] = [
  [
    "developers-reference",
    "usr/share/developers-reference/developers-reference.pdf",
    "usr/share/developers-reference/developers-reference.epub",
  ],
  [
    "debian-policy",
    "usr/share/doc/debian-policy/policy.pdf.gz",
    "usr/share/doc/debian-policy/policy.epub",
  ],
  [
    "debian-policy",
    "usr/share/doc/debian-policy/fhs/fhs-3.0.pdf.gz",
    "usr/share/doc/debian-policy/fhs/fhs-3.0.html",
  ],
  [
    "debian-faq",
    "usr/share/doc/debian/FAQ/debian-faq.en.pdf.gz",
    "usr/share/doc/debian/FAQ/*.en.html",
  ],
  [
    "developers-reference",
    "usr/share/developers-reference/developers-reference.epub",
    "usr/share/developers-reference/developers-reference.epub",
  ],
  [
    "debian-policy",
    "usr/share/doc/debian-policy/policy.epub",
    "usr/share/doc/debian-policy/policy.epub",
  ],
  [
    "debian-policy",
    "usr/share/doc/debian-policy/fhs/fhs-3.0.html",
    "usr/share/doc/debian-policy/fhs/fhs-3.0.html",
  ],
  [
    "debian-policy",
    "usr/share/doc/debian-policy/menu-policy-1.html",
    "usr/share/doc/debian-policy/menu-policy-1.html",
  ],
  [
    "debian-policy",
    "usr/share/doc/debian-policy/copyright-format-1.0.html",
    "usr/share/doc/debian-policy/copyright-format-1.0.html",
  ],
  [
    "debian-policy",
    "usr/share/doc/debian-policy/debconf_specification.html",
    "usr/share/doc/debian-policy/debconf_specification.html",
  ],
];

/** Documentation as Debian ships it. */
export function* debianSamples(): Generator<Sample> {
  for (const [name, file, twin] of DEBIAN) {
    const folder = debianFolder(name);
    const source = path.join(folder, file);
    const type = path.extname(file.replace(/\.gz$/u, "")).slice(1);
    yield { type, file: unpacked(source), truth: htmlTruth(pagesOf(path.join(folder, twin))) };
  }
}

/** A package of Debian, unpacked into the cache: nothing of it is installed. */
export function debianFolder(name: string): string {
  const folder = path.join(CACHE, "debian", name);
  if (existsSync(path.join(folder, "usr"))) return folder;
  mkdirSync(folder, { recursive: true });
  const script = `apt-get download -q ${name} && dpkg-deb -x ${name}_*.deb . && rm ${name}_*.deb`;
  const { status } = spawnSync("bash", ["-c", script], { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error(`Debian's package ${name} cannot be downloaded`);
  return folder;
}

function unpacked(file: string): string {
  if (!file.endsWith(".gz")) return file;
  const plain = file.slice(0, -3);
  writeFileSync(plain, gunzipSync(readFileSync(file)));
  return plain;
}

function pagesOf(twin: string): string[] {
  if (twin.includes("*")) {
    const [folder, ending] = [path.dirname(twin), path.basename(twin).replace("*", "")];
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending) && !name.startsWith("index"))
      .map((name) => readFileSync(path.join(folder, name), "utf8"));
  }
  if (!twin.endsWith(".epub")) return [readFileSync(twin, "utf8")];
  const book = new ZipReader(readFileSync(twin), twin, DEFAULT_LIMITS);
  return book.files
    .filter((name) => /\.x?html?$/u.test(name) && !/nav|toc|cover/u.test(path.basename(name)))
    .map((name) => book.text(name) ?? "");
}

const NPM = [
  "mammoth@1.13.0",
  "docx4js@3.3.0",
  "nodepub@5.1.1",
  "pdf-merger-js@5.1.2",
  "pdf-parse@1.1.1",
  "xlsx-populate@1.21.0",
];
/** Where the text of an office document is, and the elements that hold it. */
const PARTS: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  docx: [
    /^word\/(?:document|footnotes|endnotes|comments)\.xml$/u,
    /<w:t(?: [^>]*)?>([^<]*)<\/w:t>|(<\/w:p>|<w:tab\/>|<w:br\/>)/gu,
  ],
  pptx: [/^ppt\/(?:slides|notesSlides)\/[^/]+\.xml$/u, /<a:t>([^<]*)<\/a:t>|(<\/a:p>|<a:br\/>)/gu],
  xlsx: [/^xl\/sharedStrings\.xml$/u, /<t(?: [^>]*)?>([^<]*)<\/t>|(<\/si>)/gu],
};

/** Test files that npm packages ship. Their words are all text in their XML; of PDFs, what pdftotext finds. */
export function* npmSamples(structured: (file: string, type: string) => Truth): Generator<Sample> {
  const modules = path.join(npmFolder("fixtures", NPM), "node_modules");
  for (const name of NPM.map((each) => each.split("@")[0] ?? "")) {
    const folder = path.join(modules, name);
    for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
      const file = path.join(folder, entry);
      const type = path.extname(entry).slice(1);
      // One is cut off, one has a password: both are refused with a message.
      if (entry.includes("node_modules") || /invalid|encryption/u.test(entry)) continue;
      if (type === "pdf")
        yield { type, file, truth: wordsTruth(run("pdftotext", [file, "-"]).text) };
      else if (type === "epub") yield { type, file, truth: htmlTruth(pagesOf(file)) };
      else if (PARTS[type] !== undefined) yield { type, file, truth: structured(file, type) };
    }
  }
}

/** All text in the XML of an office file; null for other formats. */
export function xmlTruth(file: string, type: string): Truth | null {
  const parts = PARTS[type];
  return parts === undefined ? null : wordsTruth(xmlText(file, parts));
}

function xmlText(file: string, [parts, elements]: readonly [RegExp, RegExp]): string {
  const archive = new ZipReader(readFileSync(file), file, DEFAULT_LIMITS);
  return archive.files
    .filter((name) => parts.test(name))
    .map((name) =>
      [...withoutFallbacks(archive.text(name) ?? "").matchAll(elements)]
        .map(([, text, end]) => (end === undefined ? (text ?? "") : " "))
        .join(""),
    )
    .join("\n")
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
}

/** Text boxes stand in a document twice, once for old programs. */
function withoutFallbacks(xml: string): string {
  return xml.replaceAll(/<mc:Fallback>[\s\S]*?<\/mc:Fallback>/gu, "");
}
