import { writeFileSync } from "node:fs";

/** A value of a GGUF header; a plain number is a 32-bit count, `float` one with a fraction. */
export type GgufValue =
  | string
  | number
  | boolean
  | { readonly float: number }
  | { readonly strings: readonly string[] }
  | { readonly floats: readonly number[] }
  | { readonly integers: readonly number[] };

export interface GgufTensor {
  readonly name: string;
  /** The fastest first, as ggml counts them. */
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

const TYPE = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 };
const F32 = 0;
const ALIGNMENT = 32;

/** Writes a model file in the format of llama.cpp, GGUF version 3, all its numbers 32-bit floats. */
export function writeGguf(
  file: string,
  header: Readonly<Record<string, GgufValue>>,
  tensors: readonly GgufTensor[],
): void {
  const entries = Object.entries(header);
  const parts: Buffer[] = [
    Buffer.from("GGUF"),
    uint32(3),
    uint64(tensors.length),
    uint64(entries.length),
  ];
  for (const [key, value] of entries) parts.push(text(key), encode(value));
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    parts.push(text(name), uint32(shape.length), ...shape.map(uint64), uint32(F32), uint64(offset));
    offset += padded(values.byteLength);
  }
  const head = Buffer.concat(parts);
  const data = tensors.flatMap(({ values }) => {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    return [bytes, Buffer.alloc(padded(bytes.length) - bytes.length)];
  });
  writeFileSync(
    file,
    Buffer.concat([head, Buffer.alloc(padded(head.length) - head.length), ...data]),
  );
}

function encode(value: GgufValue): Buffer {
  if (typeof value === "string") return Buffer.concat([uint32(TYPE.string), text(value)]);
  if (typeof value === "number") return Buffer.concat([uint32(TYPE.uint32), uint32(value)]);
  if (typeof value === "boolean")
    return Buffer.concat([uint32(TYPE.bool), Buffer.from([value ? 1 : 0])]);
  if ("float" in value) return Buffer.concat([uint32(TYPE.float32), float32(value.float)]);
  if ("strings" in value) return array(TYPE.string, value.strings.map(text));
  if ("floats" in value) return array(TYPE.float32, value.floats.map(float32));
  return array(TYPE.int32, value.integers.map(int32));
}

function array(type: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(TYPE.array), uint32(type), uint64(items.length), ...items]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
