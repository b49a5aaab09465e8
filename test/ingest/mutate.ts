import { ZipReader } from "../../src/ingest/convert/zip-reader.ts";
import { DEFAULT_LIMITS } from "../../src/ingest/limits.ts";
import { zipFile } from "../../src/ingest/testing/zip-file.ts";
import type { Random } from "../../src/testing/random.ts";

/** Bytes that parsers trip over. */
const TOKENS = [
  "<",
  ">",
  "&",
  "]]>",
  "<!--",
  "\u0000",
  "%",
  "(",
  ")",
  "{",
  "\r\n\r\n",
  "\uffff",
  "9999999999",
  "-1",
  "endstream",
  "<w:p>",
  "</",
  '"',
  "'",
  "=?utf-8?b?",
  "--",
  ";base64,",
  "&#x10ffff;",
].map((text) => Buffer.from(text));

/** A file with a few things wrong: flipped, cut, doubled, swapped, stuffed. */
export function mutated(bytes: Buffer, random: Random): Buffer {
  let result = Buffer.from(bytes);
  const times = 1 + random.below(6);
  for (let turn = 0; turn < times && result.length > 1; turn += 1)
    result = mutatedOnce(result, random);
  return result;
}

function mutatedOnce(bytes: Buffer, random: Random): Buffer<ArrayBuffer> {
  const at = random.below(bytes.length);
  const length = Math.min(
    bytes.length - at,
    1 + random.below(random.isChance(0.2) ? bytes.length : 64),
  );
  const [before, slice, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, at + length),
    bytes.subarray(at + length),
  ];
  switch (random.below(7)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(random.below(256), at);
      return flipped;
    }
    case 1:
      return Buffer.from(before);
    case 2:
      return Buffer.concat([before, after]);
    case 3:
      return Buffer.concat([before, slice, slice, slice, after]);
    case 4:
      return Buffer.concat([before, random.pick(TOKENS) ?? slice, after]);
    case 5:
      return Buffer.concat([after, slice, before]);
    default: {
      const noise = Buffer.from(
        Array.from({ length: Math.min(length, 200) }, () => random.below(256)),
      );
      return Buffer.concat([before, noise, after]);
    }
  }
}

/** The same for any file: an archive also inside, packed again around a mutated part. */
export function mutatedFile(original: Buffer, random: Random): Buffer {
  const isArchive = original.toString("latin1", 0, 2) === "PK";
  if (!isArchive || random.isChance(0.3)) return mutated(original, random);
  const zip = new ZipReader(original, "original", DEFAULT_LIMITS);
  const names = zip.files;
  const chosen = random.pick(names);
  return zipFile(
    Object.fromEntries(
      names.map((name) => {
        const bytes = zip.read(name) ?? Buffer.alloc(0);
        return [name, name === chosen ? mutated(bytes, random) : bytes];
      }),
    ),
  );
}
