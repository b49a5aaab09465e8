import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ingestSettings } from "../../src/config.ts";
import { createIngest, type Ingest } from "../../src/ingest/ingest.ts";
import type { Limits } from "../../src/ingest/limits.ts";
import { refusalOf } from "../../src/testing/expected-error.ts";
import { temporaryFolder, temporaryVault } from "../../src/testing/temporary-vault.ts";
import { MOONSHINE, recordings, wordsOf, wrongWords, type Spoken } from "./recordings.ts";

/** So that every run hears the same ones, from all of the list. */
const EVERY = 4;
/** Measured on all: 0.05 (`npm run bench -- speech`). */
const MOST_WRONG = 0.15;
const HEADER = 44;

function listening(limits: Partial<Limits> = {}): Ingest {
  const settings = { ...ingestSettings({ COFFRE_MOONSHINE: MOONSHINE }), limits };
  return createIngest({ vault: temporaryVault(), now: () => new Date(2026, 2, 14), settings });
}

async function heard(ingest: Ingest, file: string): Promise<string> {
  const gathered = await ingest.convert({ name: path.basename(file), path: file });
  return gathered.converted?.markdown ?? "";
}

/** Seconds of nothing, as the recordings have their samples. */
function silence(seconds: number): Buffer {
  return Buffer.alloc(seconds * 8000 * 2);
}

/** A recording of several others, with their pauses. */
function joined(...parts: readonly (Spoken | number)[]): string {
  const samples = parts.map((part) =>
    typeof part === "number" ? silence(part) : readFileSync(part.file).subarray(HEADER),
  );
  const data = Buffer.concat(samples);
  const first = parts.find((part) => typeof part !== "number");
  const header = readFileSync(first?.file ?? "").subarray(0, HEADER);
  header.writeUInt32LE(data.length + HEADER - 8, 4);
  header.writeUInt32LE(data.length, HEADER - 4);
  const file = path.join(temporaryFolder(), "joined.wav");
  writeFileSync(file, Buffer.concat([header, data]));
  return file;
}

const all = recordings();
const called = (name: string): Spoken => {
  const found = all.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no recording ${name}`);
  return found;
};
const long = called("vm-options");
const other = called("agent-newlocation");

describe("Moonshine, on recordings of a person", () => {
  it("writes down nearly all words", async () => {
    const ingest = listening();
    const chosen = all.filter((_, at) => at % EVERY === 0);
    expect(chosen.length).toBeGreaterThan(50);
    let [wrong, words] = [0, 0];
    for (const { file, words: said } of chosen) {
      wrong += wrongWords(said, wordsOf(await heard(ingest, file)));
      words += said.length;
    }
    expect(wrong / words).toBeLessThan(MOST_WRONG);
  });

  it("gives the parts of a longer one with their times", async () => {
    const text = await heard(listening(), joined(5, long, 4, other, 3));
    const parts = text.split("\n\n").map((part) => part.split("] "));
    expect(parts).toHaveLength(2);
    expect(parts.map(([time]) => time)).toEqual([
      "[0:04",
      `[0:${Math.floor(9 + readFileSync(long.file).length / 16_000)}`,
    ]);
    const said = [...long.words, ...other.words];
    const words = wordsOf(parts.map(([, part]) => part).join(" "));
    expect(wrongWords(said, words) / said.length).toBeLessThan(0.3);
  });

  it.each(["mp3", "ogg", "m4a", "flac"])("reads .%s through ffmpeg", async (extension) => {
    const file = path.join(temporaryFolder(), `memo.${extension}`);
    execFileSync("ffmpeg", ["-v", "error", "-i", long.file, file], { stdio: "ignore" });
    const words = wordsOf(await heard(listening(), file));
    expect(wrongWords(long.words, words) / long.words.length).toBeLessThan(0.3);
  });

  it("says so when a recording is too long", async () => {
    const file = path.join(temporaryFolder(), "memo.ogg");
    execFileSync("ffmpeg", ["-v", "error", "-i", long.file, file], { stdio: "ignore" });
    const ingest = listening({ unpackedBytes: 200_000 });
    const { notices } = await ingest.convert({ name: "memo.ogg", path: file });
    expect(notices).toContainEqual(expect.stringContaining("its end is left out"));
  });

  it("refuses a damaged recording with a reason", async () => {
    const beginning = Buffer.from("\0\0\0\u0020ftypM4A \0\0\0\0M4A mp42isom\0\0\0\0", "latin1");
    const bytes = Buffer.concat([beginning, silence(1)]);
    const refusal = await refusalOf(async () => listening().convert({ name: "memo.m4a", bytes }));
    expect(refusal?.message).toContain("memo.m4a cannot be read by ffmpeg");
  });
});
