import { expect } from "vitest";

import { ConverterProcess } from "../../src/ingest/convert/converter-process.ts";
import { kindOf } from "../../src/ingest/convert/file-kind.ts";
import { DEFAULT_LIMITS } from "../../src/ingest/limits.ts";
import { Random } from "../../src/testing/random.ts";
import { ExpectedError } from "../../src/errors.ts";
import { mutatedFile } from "./mutate.ts";

const FILES = 2000;
const LIMITS = { ...DEFAULT_LIMITS, milliseconds: 20_000 };
/** Over the limit by no more than it takes to end a process. */
const GRACE = 3000;

/** What became of the mutated files of one type. */
export interface FuzzReport {
  readonly converted: number;
  readonly refused: number;
  /** Files that brought the converting process down, and were told so. */
  readonly givenUp: number;
  readonly slowest: number;
}

/**
 * Converts 2,000 mutated copies of a file. Anything but text or an expected error fails the test, as does one that takes longer than
 * its limit. Archives are mutated as they are, and inside: packed again around a mutated part.
 */
export async function fuzz(name: string, original: Buffer, seed: number): Promise<FuzzReport> {
  const random = new Random(seed);
  const converter = new ConverterProcess(LIMITS);
  const report = { converted: 0, refused: 0, givenUp: 0, slowest: 0 };
  try {
    for (let at = 0; at < FILES; at += 1) {
      const bytes = mutatedFile(original, random);
      const started = performance.now();
      try {
        await convertOne(converter, name, bytes);
        report.converted += 1;
      } catch (error) {
        if (!(error instanceof ExpectedError)) throw error;
        if (error.message.includes("was given up")) report.givenUp += 1;
        else report.refused += 1;
      }
      report.slowest = Math.max(report.slowest, Math.round(performance.now() - started));
    }
  } finally {
    converter.close();
  }
  expect(report.converted + report.refused + report.givenUp).toBe(FILES);
  expect(report.slowest).toBeLessThan(LIMITS.milliseconds + GRACE);
  process.stdout.write(`fuzz ${name}: ${JSON.stringify(report)}\n`);
  return report;
}

async function convertOne(converter: ConverterProcess, name: string, bytes: Buffer): Promise<void> {
  const kind = await kindOf(name, bytes);
  if (kind.kind === "image" || kind.kind === "audio") return;
  const job = { name, bytes, kind, limits: LIMITS, ocr: { folder: "/no/language/data" } };
  const { markdown, notices } = await converter.convert(job);
  expect([typeof markdown, Array.isArray(notices)]).toEqual(["string", true]);
}
