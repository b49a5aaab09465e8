import { expect, it } from "vitest";

import { BOM, bomLength, decodeUtf8, isTextBytes } from "./utf8.ts";

it("decodes without the byte-order mark, and only the first is one", () => {
  expect(decodeUtf8(Buffer.from(`${BOM}${BOM}été\r\n`))).toBe(`${BOM}été\r\n`);
  expect(decodeUtf8(Buffer.from("été"))).toBe("été");
  expect(bomLength(Buffer.from(BOM))).toBe(3);
  expect(bomLength(Buffer.from("ï»"))).toBe(0);
});

it("takes UTF-8 without NUL for text", () => {
  expect(isTextBytes(Buffer.from("été"))).toBe(true);
  expect(isTextBytes(Buffer.alloc(0))).toBe(true);
  expect(isTextBytes(Buffer.from("a\0b"))).toBe(false);
  expect(isTextBytes(Buffer.from([0xe9, 0x74]))).toBe(false);
});
