import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { OCR_PACKAGE } from "../../src/ingest/formats/pdf-readers.ts";
import { docxFile } from "../../src/ingest/testing/office-files.ts";
import { pdfFile } from "../../src/ingest/testing/pdf-file.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** The program as it is installed: built, with the packages that come with it and not the optional one. */
function installedProgram(): string {
  const folder = temporaryFolder();
  copyFileSync(path.join(ROOT, "package.json"), path.join(folder, "package.json"));
  const modules = path.join(folder, "node_modules");
  mkdirSync(modules);
  const without = OCR_PACKAGE.split("/")[0];
  for (const name of readdirSync(path.join(ROOT, "node_modules"))) {
    if (name !== without)
      symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name));
  }
  const tsc = path.join(ROOT, "node_modules/.bin/tsc");
  execFileSync(tsc, [
    "-p",
    path.join(ROOT, "tsconfig.build.json"),
    "--outDir",
    path.join(folder, "dist"),
  ]);
  return path.join(folder, "dist/cli/main.js");
}

it("ingests as it is built, and says how to add the package that is missing", () => {
  const program = installedProgram();
  const folder = temporaryFolder();
  const vault = path.join(folder, "notes");
  mkdirSync(vault);
  writeFileSync(path.join(folder, "jardin.docx"), docxFile());
  writeFileSync(path.join(folder, "lettre.pdf"), pdfFile([["Bonjour Madame"], []]));
  const places = ["--vault", vault, "--state", path.join(folder, "state")];
  const files = ["jardin.docx", "lettre.pdf"].map((name) => path.join(folder, name));
  const printed = execFileSync(process.execPath, [program, "ingest", ...places, ...files], {
    encoding: "utf8",
  });
  expect(printed).toContain("jardin.docx → vault/bucket/");
  expect(printed).toContain(`npm install ${OCR_PACKAGE}`);
  expect(printed).toContain("No text on page 2");
  const bucket = path.join(vault, "bucket");
  const notes = readdirSync(bucket).filter((name) => name.endsWith(".md"));
  const texts = notes.map((name) => readFileSync(path.join(bucket, name), "utf8"));
  expect(texts.some((text) => text.includes("- Bêche"))).toBe(true);
  expect(texts.some((text) => text.includes("Bonjour Madame"))).toBe(true);
});
