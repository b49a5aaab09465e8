import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { padding, tarEnd, tarHead, type TarHead } from "./tar.ts";
import { untar } from "./untar.ts";

const anyName = fc
  .array(fc.string({ unit: "binary", minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.map((part) => part.replaceAll(/[/\0]/gu, "_")).join("/"))
  .filter((name) => name.isWellFormed());

const anyThing = fc.record({
  name: anyName,
  kind: fc.constantFrom("file", "folder", "link"),
  bytes: fc.uint8Array({ maxLength: 2000 }),
  mode: fc.integer({ min: 0, max: 0o7777 }),
  modified: fc.integer({ min: 0, max: 4e12 }),
  target: anyName,
});

function packed(things: readonly (TarHead & { readonly bytes: Uint8Array })[]): Buffer {
  const parts = things.flatMap((thing) => [
    tarHead(thing),
    thing.bytes.subarray(0, thing.size),
    padding(thing.size),
  ]);
  return Buffer.concat([...parts, tarEnd()]);
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpacked(archive: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const things: unknown[] = [];
  for await (const { head, content } of untar(archive)) {
    const parts: Uint8Array[] = [];
    for await (const part of content) parts.push(part);
    things.push({ ...head, bytes: Buffer.concat(parts).toString("hex") });
  }
  return things;
}

describe("an archive", () => {
  it("gives back whatever was put into it, however it is cut into pieces", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyThing), fc.integer({ min: 1, max: 3000 }), async (all, size) => {
        const things = all.map((thing) => ({
          ...thing,
          size: thing.kind === "file" ? thing.bytes.length : 0,
          target: thing.kind === "link" ? thing.target : "",
        }));
        const found = await unpacked(inPieces(packed(things), size));
        expect(found).toEqual(
          things.map((thing) => ({
            ...thing,
            bytes: Buffer.from(thing.bytes.subarray(0, thing.size)).toString("hex"),
          })),
        );
      }),
    );
  });

  it("is refused when it is cut anywhere, or is anything else", async () => {
    const whole = packed([
      {
        name: "vault/a.md",
        kind: "file",
        size: 600,
        mode: 0o644,
        modified: 0,
        bytes: new Uint8Array(600).fill(65),
      },
    ]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1025 }), async (end) => {
        await expect(unpacked(inPieces(whole.subarray(0, end), 512))).rejects.toMatchObject({
          code: "invalid_argument",
        });
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 513, maxLength: 3000 }), async (noise) => {
        fc.pre(noise.subarray(0, 512).some((byte) => byte !== 0));
        await expect(unpacked(inPieces(Buffer.from(noise), 700))).rejects.toMatchObject({
          code: "invalid_argument",
        });
      }),
    );
  });
});
