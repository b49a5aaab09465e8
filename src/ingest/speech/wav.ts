import { readSync } from "node:fs";

/** Samples of a sound, of one channel, read from a file as they are needed: hours of speech do not fit into memory. */
export interface Samples {
  /** A second. */
  readonly rate: number;
  readonly length: number;
  /** Between -1 and 1. Zero outside of the sound. */
  read(from: number, to: number): Float32Array;
}

/** How the samples lie in a WAV file. */
interface WavFacts {
  readonly rate: number;
  readonly channels: number;
  readonly bits: number;
  readonly isFloat: boolean;
  /** Where the samples begin, and how many bytes they take. */
  readonly start: number;
  readonly bytes: number;
}

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
const FORMATS: ReadonlySet<string> = new Set(["1/8", "1/16", "1/24", "1/32", "3/32", "3/64"]);

/** Reads a part of a file into a buffer; shorter at its end. */
type ReadBytes = (from: number, length: number) => Buffer;

/** The beginning of bytes that lie in memory. */
export function isPlainWav(bytes: Uint8Array): boolean {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return wavFacts((from, length) => whole.subarray(from, from + length), whole.length) !== null;
}

/** The samples of a WAV file with plain numbers; null for anything else. All channels are mixed into one. */
export function wavSamples(file: number, size: number): Samples | null {
  const readBytes: ReadBytes = (from, length) => {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, from));
  };
  const facts = wavFacts(readBytes, size);
  if (facts === null) return null;
  const { rate, channels, bits, start, bytes } = facts;
  const frameBytes = (bits / 8) * channels;
  const length = Math.floor(bytes / frameBytes);
  const sampleAt = sampleReader(facts);
  const read = (from: number, to: number): Float32Array => {
    const mixed = new Float32Array(Math.max(0, to - from));
    const first = Math.max(0, from);
    const last = Math.min(length, to);
    if (last <= first) return mixed;
    const buffer = readBytes(start + first * frameBytes, (last - first) * frameBytes);
    const frames = Math.floor(buffer.length / frameBytes);
    for (let frame = 0; frame < frames; frame += 1) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel += 1) {
        sum += sampleAt(buffer, frame * frameBytes + (channel * bits) / 8);
      }
      mixed[first - from + frame] = sum / channels;
    }
    return mixed;
  };
  return { rate, length, read };
}

function wavFacts(readBytes: ReadBytes, size: number): WavFacts | null {
  const head = readBytes(0, 12);
  if (head.length < 12) return null;
  if (head.toString("latin1", 0, 4) !== "RIFF" || head.toString("latin1", 8, 12) !== "WAVE") {
    return null;
  }
  let format: Omit<WavFacts, "start" | "bytes"> | null = null;
  for (let at = 12; at + 8 <= size;) {
    const chunk = readBytes(at, 8);
    if (chunk.length < 8) return null;
    const id = chunk.toString("latin1", 0, 4);
    const length = chunk.readUInt32LE(4);
    if (id === "fmt ") format = formatOf(readBytes(at + 8, Math.min(length, 40)));
    if (id === "data") {
      if (format === null) return null;
      const rest = size - at - 8;
      // A program that records does not know the length yet, and writes none, or the largest number.
      const bytes = length === 0 ? rest : Math.min(length, rest);
      return { ...format, start: at + 8, bytes };
    }
    // Chunks begin at even places.
    at += 8 + length + (length % 2);
  }
  return null;
}

function formatOf(chunk: Buffer): Omit<WavFacts, "start" | "bytes"> | null {
  if (chunk.length < 16) return null;
  const tag = chunk.readUInt16LE(0);
  const isExtended = tag === EXTENSIBLE && chunk.length >= 26;
  const format = isExtended ? chunk.readUInt16LE(24) : tag;
  const [channels, rate] = [chunk.readUInt16LE(2), chunk.readUInt32LE(4)];
  const [block, bits] = [chunk.readUInt16LE(12), chunk.readUInt16LE(14)];
  const isKnown = (format === PCM || format === FLOAT) && FORMATS.has(`${format}/${bits}`);
  if (!isKnown || channels === 0 || channels > 32 || rate < 2000 || rate > 768_000) return null;
  if (block !== (bits / 8) * channels) return null;
  return { rate, channels, bits, isFloat: format === FLOAT };
}

function sampleReader({ bits, isFloat }: WavFacts): (buffer: Buffer, at: number) => number {
  if (isFloat) {
    return bits === 64
      ? (buffer, at) => finite(buffer.readDoubleLE(at))
      : (buffer, at) => finite(buffer.readFloatLE(at));
  }
  // The smallest size has no sign.
  if (bits === 8) return (buffer, at) => (buffer.readUInt8(at) - 128) / 128;
  const scale = 2 ** (bits - 1);
  return (buffer, at) => buffer.readIntLE(at, bits / 8) / scale;
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
