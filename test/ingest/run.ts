/** Runs the heavier tests of ingest. Installs what they need from Debian's packages when it is missing and this is root. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

import { findOcrData } from "../../src/ingest/convert/ocr-data.ts";
import { findFfmpeg } from "../../src/ingest/speech/ffmpeg.ts";
import { hasRecordings, hasTextsOfRecordings } from "./recordings.ts";

/** Packages, and how to tell that they are there. */
const NEEDED: readonly (readonly [string, () => boolean])[] = [
  ["libreoffice-writer-nogui", () => isProgram("soffice") && hasOfficePart("libswlo.so")],
  ["libreoffice-impress-nogui", () => hasOfficePart("libsdlo.so")],
  ["libreoffice-calc-nogui", () => hasOfficePart("libsclo.so")],
  ["espeak-ng", () => isProgram("espeak-ng")],
  ["asterisk-core-sounds-en-wav", hasRecordings],
  ["asterisk-core-sounds-en", hasTextsOfRecordings],
  ["ffmpeg", () => findFfmpeg() !== null],
  ["tesseract-ocr-eng", () => findOcrData({ languages: ["eng"] }) !== null],
  ["tesseract-ocr-fra", () => findOcrData({ languages: ["fra"] }) !== null],
];

function isProgram(name: string): boolean {
  return spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined;
}

function hasOfficePart(name: string): boolean {
  return existsSync(path.join("/usr/lib/libreoffice/program", name));
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (error !== undefined || status !== 0) {
    process.stderr.write(
      `${command} ${args.join(" ")} failed${error === undefined ? "" : `: ${error.message}`}\n`,
    );
    process.exit(status ?? 1);
  }
}

const missing = NEEDED.filter(([, isThere]) => !isThere()).map(([name]) => name);
if (missing.length > 0) {
  if (process.getuid?.() !== 0) {
    process.stderr.write(
      `These tests need more programs. Install them: sudo apt-get install ${missing.join(" ")}\n`,
    );
    process.exit(1);
  }
  run("apt-get", ["-qq", "update"]);
  run("apt-get", ["-qq", "install", "-y", "--no-install-recommends", ...missing]);
}
const moonshine = path.join(import.meta.dirname, "moonshine");
run("npm", ["ci", "--prefix", moonshine, "--ignore-scripts", "--no-audit", "--no-fund"]);
run("vitest", ["run", "--config", "vitest.ingest.config.ts", ...process.argv.slice(2)]);
