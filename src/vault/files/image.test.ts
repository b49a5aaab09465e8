import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isImage } from "../paths.ts";
import { sniffImage } from "./image.ts";
import { demoImage } from "../../testing/demo-image.ts";

const base64 = (text: string): Buffer => Buffer.from(text, "base64");

/** The smallest real files of each kind, one pixel each. */
const png = base64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
);
const gif = base64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
const lossless = base64("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==");
const lossy = base64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA");

/** A JPEG's first bytes: the segments given, then a frame of this kind and size. */
function jpeg(segments: readonly number[][], frame: number, width: number, height: number): Buffer {
  const start = [0xff, 0xd8, ...segments.flat()];
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return Buffer.from([
    ...start,
    0xff,
    frame,
    0,
    17,
    8,
    ...size,
    3,
    ...Array.from({ length: 9 }, () => 1),
  ]);
}

const app0 = [0xff, 0xe0, 0, 16, ...Buffer.from("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0];
const exif = [0xff, 0xe1, 0x10, 0x02, ...Array.from({ length: 0x1000 }, (_, at) => at & 255)];

describe("an image's bytes", () => {
  it.each([
    ["PNG", png, "image/png", 1, 1],
    ["GIF", gif, "image/gif", 1, 1],
    ["lossless WebP", lossless, "image/webp", 1, 1],
    ["lossy WebP", lossy, "image/webp", 1, 1],
    ["a baseline JPEG", jpeg([app0], 0xc0, 1280, 720), "image/jpeg", 1280, 720],
    [
      "a progressive JPEG after long metadata",
      jpeg([app0, exif], 0xc2, 300, 65_500),
      "image/jpeg",
      300,
      65_500,
    ],
    [
      "a JPEG with fill bytes and restarts",
      jpeg([[0xff, 0xff, 0xff, 0xd0]], 0xc1, 9, 8),
      "image/jpeg",
      9,
      8,
    ],
    ["the demo's plan", Buffer.from(demoImage()), "image/png", 640, 400],
  ] as const)("tell kind and size of %s", (_, bytes, mimeType, width, height) => {
    expect(sniffImage(bytes)).toEqual({ mimeType, width, height });
  });

  it("tell the size of an extended WebP", () => {
    const bytes = Buffer.from(
      "RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\x04\0\xcf\x02\0",
      "latin1",
    );
    expect(sniffImage(bytes)).toEqual({ mimeType: "image/webp", width: 1280, height: 720 });
  });

  it("tell of no image when they are cut before the size, or it is nothing", () => {
    for (const whole of [png, lossless, lossy, jpeg([app0], 0xc0, 2, 2)]) {
      for (let length = 0; length < 20; length += 1)
        expect(sniffImage(whole.subarray(0, length))).toBeNull();
    }
    const noWidth = Buffer.from(png);
    noWidth.writeUInt32BE(0, 16);
    expect(sniffImage(noWidth)).toBeNull();
    expect(sniffImage(Buffer.from("GIF89a\0\0\0\0 and some more bytes after"))).toBeNull();
  });

  it("are judged by themselves: other files are no images", () => {
    for (const text of [
      "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "%PDF-1.7 and the rest of it",
      "BM a bitmap of old times",
    ]) {
      expect(sniffImage(Buffer.from(text))).toBeNull();
    }
    expect(sniffImage(Buffer.from([0xff, 0xd8, ...Buffer.alloc(100)]))).toBeNull();
  });

  it("never make it fail, at random or with a true beginning", () => {
    const starts = [png, gif, lossless, lossy, jpeg([app0], 0xc0, 5, 5)].map((whole) =>
      whole.subarray(0, 16),
    );
    const bytes = fc.uint8Array({ maxLength: 80 });
    fc.assert(
      fc.property(
        fc.constantFrom(Buffer.alloc(0), ...starts, Buffer.from([0xff, 0xd8])),
        bytes,
        (start, rest) => {
          const facts = sniffImage(Buffer.concat([start, rest]));
          expect(facts === null || (facts.width > 0 && facts.height > 0)).toBe(true);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it("have five extensions, in either case", () => {
    expect(["a.png", "a.jpg", "a.jpeg", "a.gif", "a.webp", "a.PNG"].every(isImage)).toBe(true);
    expect(["a.svg", "png", ".png", ""].some(isImage)).toBe(false);
  });
});
