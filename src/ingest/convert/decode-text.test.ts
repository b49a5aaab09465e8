import { describe, expect, it } from "vitest";

import { decodeText, encodingOf } from "./decode-text.ts";

const TEXT = "L’été à Sète : 3 €, un œuf.\r\nFin\r";
const READ = "L’été à Sète : 3 €, un œuf.\nFin\n";

function decoded(bytes: Buffer): string | null {
  const encoding = encodingOf(bytes);
  return encoding === null ? null : decodeText(bytes, encoding);
}

function bigEndian(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

describe("the encoding of a text", () => {
  it.each([
    ["UTF-8", Buffer.from(TEXT)],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${TEXT}`)],
    ["UTF-16 with a mark", Buffer.from(`\ufeff${TEXT}`, "utf16le")],
    ["UTF-16, big end first, with a mark", bigEndian(`\ufeff${TEXT}`)],
  ])("is found: %s", (_, bytes) => {
    expect(decoded(bytes)).toBe(READ);
  });

  it("is found in UTF-16 without a mark", () => {
    expect(decoded(Buffer.from("Bonjour, il fait beau.", "utf16le"))).toBe(
      "Bonjour, il fait beau.",
    );
    expect(decoded(bigEndian("Bonjour, il fait beau."))).toBe("Bonjour, il fait beau.");
  });

  it("is Latin-1 when it is not UTF-8, with the signs that Windows adds", () => {
    expect(decoded(Buffer.from("Un été déjà passé", "latin1"))).toBe("Un été déjà passé");
    expect(decoded(Buffer.from([0x33, 0x20, 0x80, 0x20, 0x9c, 0x75, 0x66]))).toBe("3 € œuf");
  });

  it("is none when the bytes are no text", () => {
    expect(encodingOf(Buffer.from([1, 2, 3, 4]))).toBeNull();
    expect(encodingOf(Buffer.from([0, 0, 0, 0]))).toBeNull();
    expect(encodingOf(Buffer.from([0xe9, 0x81, 0x41]))).toBeNull();
  });
});
