import { closeSync, openSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { wavFile } from "../testing/wav-file.ts";
import { resampled } from "./resample.ts";
import { isPlainWav, wavSamples, type Samples } from "./wav.ts";

interface Layout {
  readonly tag?: number;
  readonly channels?: number;
  readonly rate?: number;
  readonly bits: number;
  readonly data: Buffer;
  /** What the header says of its length, where that is not true. */
  readonly claimed?: number;
  /** A chunk before the samples, of an odd length. */
  readonly before?: Buffer;
}

function wav({ tag = 1, channels = 1, rate = 8000, bits, data, claimed, before }: Layout): Buffer {
  const chunk = (id: string, body: Buffer, length = body.length): Buffer => {
    const head = Buffer.alloc(8);
    head.write(id, "latin1");
    head.writeUInt32LE(length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  };
  const format = Buffer.alloc(tag === 0xfffe ? 40 : 16);
  const block = (bits / 8) * channels;
  format.writeUInt16LE(tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * block, 8);
  format.writeUInt16LE(block, 12);
  format.writeUInt16LE(bits, 14);
  if (tag === 0xfffe) format.writeUInt16LE(1, 24);
  const chunks = [
    chunk("fmt ", format),
    ...(before === undefined ? [] : [chunk("LIST", before)]),
    chunk("data", data, claimed),
  ];
  return Buffer.concat([chunk("RIFF", Buffer.from("WAVE")), ...chunks]);
}

function open(bytes: Buffer): Samples | null {
  const file = path.join(temporaryFolder(), "sound.wav");
  writeFileSync(file, bytes);
  const descriptor = openSync(file, "r");
  onTestFinished(() => {
    closeSync(descriptor);
  });
  return wavSamples(descriptor, statSync(file).size);
}

function heard(bytes: Buffer): number[] {
  const sound = open(bytes);
  return sound === null ? [] : [...sound.read(0, sound.length)];
}

describe("a WAV file", () => {
  it("is read in every plain form", () => {
    const sixteen = Buffer.from(Int16Array.of(0, 16_384, -32_768).buffer);
    expect(heard(wav({ bits: 16, data: sixteen }))).toEqual([0, 0.5, -1]);
    expect(heard(wav({ tag: 0xfffe, bits: 16, data: sixteen }))).toEqual([0, 0.5, -1]);
    expect(heard(wav({ bits: 8, data: Buffer.of(128, 192, 0) }))).toEqual([0, 0.5, -1]);
    expect(heard(wav({ bits: 24, data: Buffer.of(0, 0, 0, 0, 0, 64, 0, 0, 128) }))).toEqual([
      0, 0.5, -1,
    ]);
    const thirtyTwo = Buffer.from(Int32Array.of(0, 2 ** 30, -(2 ** 31)).buffer);
    expect(heard(wav({ bits: 32, data: thirtyTwo }))).toEqual([0, 0.5, -1]);
    const floats = Buffer.from(Float32Array.of(0, 0.5, Number.NaN).buffer);
    expect(heard(wav({ tag: 3, bits: 32, data: floats }))).toEqual([0, 0.5, 0]);
    const doubles = Buffer.from(Float64Array.of(0, 0.5, -1).buffer);
    expect(heard(wav({ tag: 3, bits: 64, data: doubles }))).toEqual([0, 0.5, -1]);
  });

  it("of several channels is mixed into one", () => {
    const data = Buffer.from(Int16Array.of(16_384, 0, -16_384, -16_384).buffer);
    expect(heard(wav({ bits: 16, channels: 2, data }))).toEqual([0.25, -0.5]);
  });

  it("is read when its length is missing or wrong, and other chunks stand before", () => {
    const data = Buffer.from(Int16Array.of(16_384, -16_384).buffer);
    for (const claimed of [0, 0xffff_ffff]) {
      expect(heard(wav({ bits: 16, data, claimed, before: Buffer.from("odd") }))).toEqual([
        0.5, -0.5,
      ]);
    }
  });

  it("is silent outside of its samples", () => {
    const sound = open(wav({ bits: 8, data: Buffer.of(192, 192) }));
    expect([...(sound?.read(-2, 4) ?? [])]).toEqual([0, 0, 0.5, 0.5, 0, 0]);
  });

  it("is left to ffmpeg when it is anything else", () => {
    const law = wav({ tag: 7, bits: 8, data: Buffer.of(1, 2) });
    for (const bytes of [law, Buffer.from("RIFF"), Buffer.alloc(100), law.subarray(0, 30)]) {
      expect(isPlainWav(bytes)).toBe(false);
      expect(open(bytes)).toBe(null);
    }
    expect(isPlainWav(wavFile())).toBe(true);
  });

  it("never makes its reader fail, whatever its bytes are", () => {
    const base = wavFile(440, 2000);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 12 }),
        fc.nat(base.length),
        (changes, length) => {
          const bytes = Buffer.from(base.subarray(0, length));
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          const sound = open(bytes);
          const samples = sound?.read(0, Math.min(sound.length, 100)) ?? [];
          expect([...samples].every((each) => Math.abs(each) <= 1)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("a sound at another rate", () => {
  it.each([8000, 11_025, 22_050, 44_100, 48_000])("keeps its tone from %d Hz", (rate) => {
    const source = open(wavFile(440, rate));
    const sound = source === null ? null : resampled(source, 16_000);
    expect(sound?.length).toBe(16_000);
    const samples = sound?.read(4000, 12_000) ?? new Float32Array();
    const wrong = samples.map((sample, at) => {
      const expected = Math.sin((2 * Math.PI * 440 * (4000 + at)) / 16_000) * (10_000 / 32_768);
      return Math.abs(sample - expected);
    });
    expect(Math.max(...wrong)).toBeLessThan(0.003);
  });

  it("has nothing of what it cannot hold", () => {
    const source = open(wavFile(12_000, 48_000));
    const samples = source === null ? [] : resampled(source, 16_000).read(4000, 12_000);
    expect(Math.max(...samples.map(Math.abs))).toBeLessThan(0.003);
  });

  it("is the same read in pieces", () => {
    const source = open(wavFile(300, 44_100));
    const sound = source === null ? null : resampled(source, 16_000);
    const pieces = [
      [0, 777],
      [777, 1001],
      [1001, 2000],
    ].flatMap(([from = 0, to = 0]) => [...(sound?.read(from, to) ?? [])]);
    expect(pieces).toEqual([...(sound?.read(0, 2000) ?? [])]);
  });
});
