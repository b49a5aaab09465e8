import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { zipFile } from "../testing/zip-file.ts";
import { ZipReader } from "./zip-reader.ts";

const LIMITS = { unpackedBytes: 1_000_000 };

describe("a ZIP archive", () => {
  it("gives its files by name", () => {
    const zip = new ZipReader(zipFile({ "a.txt": "un", "é/b.txt": "deux" }), "a.zip", LIMITS);
    expect(zip.files).toEqual(["a.txt", "é/b.txt"]);
    expect(zip.text("é/b.txt")).toBe("deux");
    expect(zip.text("c.txt")).toBeNull();
  });

  it("is refused when it unpacks to more than it may, whatever it says of its sizes", async () => {
    const bomb = zipFile({ "zeros.bin": Buffer.alloc(5_000_000) });
    // The directory claims a single byte.
    bomb.writeUInt32LE(1, bomb.lastIndexOf("PK\u0001\u0002") + 24);
    const zip = new ZipReader(bomb, "bomb.zip", LIMITS);
    const refusal = await refusalOf(() => zip.read("zeros.bin"));
    expect(refusal?.code).toBe("too_large");
    expect(refusal?.message).toContain("bomb.zip holds more than 1 MB");
  });

  it("counts what all its files unpack to", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [`${at}`, Buffer.alloc(300_000)]),
    );
    const zip = new ZipReader(zipFile(files), "bomb.zip", LIMITS);
    const refusal = await refusalOf(() => zip.files.forEach((name) => zip.read(name)));
    expect(refusal?.code).toBe("too_large");
  });

  it("is refused when it is encrypted, damaged, or no archive", async () => {
    const locked = new ZipReader(zipFile({ a: "x" }, { isEncrypted: true }), "a.zip", LIMITS);
    expect((await refusalOf(() => locked.read("a")))?.message).toContain("is encrypted");
    const damaged = zipFile({ a: "some text that is long enough to be packed" });
    damaged.writeUInt8(0x55, 35);
    const reader = new ZipReader(damaged, "a.zip", LIMITS);
    expect((await refusalOf(() => reader.read("a")))?.message).toContain("a.zip cannot be read");
    const none = await refusalOf(() => new ZipReader(Buffer.from("PK"), "a.zip", LIMITS));
    expect(none?.message).toContain("its directory is missing");
  });

  it("gives back what was packed, whatever it was", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.uint8Array()), (files) => {
        const zip = new ZipReader(zipFile(files), "a.zip", LIMITS);
        for (const [name, bytes] of Object.entries(files))
          expect(zip.read(name)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 50 },
    );
    expect.hasAssertions();
  });
});
