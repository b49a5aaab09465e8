import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { decodeText, encodingOf, kindOf } from "./file-kind.ts";
import { docxFile, epubFile, odtFile, pptxFile, xlsxFile } from "../testing/office-files.ts";
import { pdfFile } from "../testing/pdf-file.ts";
import { pngFile } from "../testing/png-file.ts";
import { rewrittenZip } from "../testing/rewritten-zip.ts";
import { zipFile } from "../testing/zip-file.ts";

const MAIL = "Received: by mx\nFrom: a@example.org\nTo: b@example.org\nSubject: Hi\n\nText";

describe("what a file is", () => {
  it.each([
    ["pdf", pdfFile([["Bonjour"]])],
    ["docx", docxFile()],
    ["odf", odtFile()],
    ["pptx", pptxFile()],
    ["xlsx", xlsxFile()],
    ["epub", epubFile()],
    ["zip", zipFile({ "a.txt": "a" })],
    ["image", pngFile()],
    ["audio", Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVEfmt "), Buffer.alloc(40)])],
    ["html", Buffer.from("<!DOCTYPE html><p>x")],
    ["mail", Buffer.from(MAIL)],
    ["text", Buffer.from("Just words.")],
  ])("is told by its bytes, under any name: %s", async (kind, bytes) => {
    expect((await kindOf("mystery.xyz", bytes)).kind).toBe(kind);
  });

  const XML = "application/vnd.openxmlformats-officedocument";
  it.each([
    ["docx", `${XML}.wordprocessingml.template`],
    ["docx", "application/vnd.ms-word.document.macroEnabled"],
    ["docx", "application/vnd.ms-word.template.macroEnabledTemplate"],
    ["pptx", `${XML}.presentationml.slideshow`],
    ["pptx", `${XML}.presentationml.template`],
    ["pptx", "application/vnd.ms-powerpoint.presentation.macroEnabled"],
    ["pptx", "application/vnd.ms-powerpoint.slideshow.macroEnabled"],
    ["pptx", "application/vnd.ms-powerpoint.template.macroEnabled"],
    ["xlsx", `${XML}.spreadsheetml.template`],
    ["xlsx", "application/vnd.ms-excel.sheet.macroEnabled"],
    ["xlsx", "application/vnd.ms-excel.template.macroEnabled"],
  ])(
    "is that of a %s for what is saved as a show, a template or with macros: %s",
    async (kind, type) => {
      const made = { docx: docxFile, pptx: pptxFile, xlsx: xlsxFile }[kind];
      const file = rewrittenZip(made?.() ?? Buffer.from(""), /^\[Content_Types\]/u, (xml) =>
        xml.replace(/"[^"]*\.main\+xml"/u, `"${type}.main+xml"`),
      );
      expect((await kindOf("mystery.xyz", file)).kind).toBe(kind);
    },
  );

  it.each([
    ["list.csv", "a,b\n1,2", "csv"],
    ["note.md", "# Title", "markdown"],
    ["part.html", "<p>No doctype", "html"],
    ["part.txt", "<p>No doctype", "text"],
  ])("is told by the name for texts: %s", async (name, text, kind) => {
    expect((await kindOf(name, Buffer.from(text))).kind).toBe(kind);
  });

  it("is a text when nothing in it could not be one, whatever it begins with", async () => {
    expect((await kindOf("note.txt", Buffer.from("BM is a fine pair of letters."))).kind).toBe(
      "text",
    );
    expect((await kindOf("notes.txt", Buffer.from("From: me\nI wrote this."))).kind).toBe("text");
  });

  it.each([
    ["empty.txt", "", "is empty"],
    ["page.rtf", String.raw`{\rtf1\ansi Hello}`, "save it as .docx"],
    [
      "old.doc",
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]),
      "save it as .docx",
    ],
    ["disk.img", Buffer.from([0, 1, 2, 3, 0, 250]), "Accepted are HTML"],
    ["photo.tiff", Buffer.from("49492a0008000000000000000000", "hex"), "PNG or JPEG"],
  ])("is refused with what to do: %s", async (name, bytes, advice) => {
    const refusal = await refusalOf(async () => kindOf(name, Buffer.from(bytes)));
    expect(refusal?.message).toContain(name);
    expect(refusal?.message).toContain(advice);
  });
});

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

  it.each([
    ["Shift-JIS", "82a082f182c882cc82b182c6", "あんなのこと"],
    ["Shift-JIS, katakana", "836583588367", "テスト"],
    ["Shift-JIS, kanji", "93fa967b8cea82cc83658358836782c582b7", "日本語のテストです"],
    ["EUC-JP", "c6fccbdcb8eca4cea5c6a5b9a5c8a4c7a4b9", "日本語のテストです"],
    ["GBK", "bdf1ccecccecc6f8badcbac3a3acced2c3c7c8a5b9abd4b0", "今天天气很好，我们去公园"],
    ["Big5", "a4b5a4d1a4d1aef0abdca66ea141a7daadcca568a4bdb6e9", "今天天氣很好，我們去公園"],
    ["EUC-KR", "bec8b3e7c7cfbcbcbfe420b9ddb0a9bdc0b4cfb4d9", "안녕하세요 반갑습니다"],
    ["windows-1251", "cff0e8e2e5f22c20eae0ea20e4e5ebe03f", "Привет, как дела?"],
    ["KOI8-R", "f0d2c9d7c5d42c20cbc1cb20c4c5ccc13f", "Привет, как дела?"],
  ])("is told by how it reads: %s", (_, hex, text) => {
    expect(decoded(Buffer.from(hex, "hex"))).toBe(text);
  });

  it("is that of old Japanese mails when they say so", () => {
    const bytes = Buffer.concat([
      Buffer.from([0x1b, 0x24, 0x42]),
      Buffer.from("467c4b5c386c", "hex"),
      Buffer.from([0x1b, 0x28, 0x42]),
    ]);
    expect(decoded(bytes)).toBe("日本語");
  });

  it("is none when the bytes are no text", () => {
    expect(encodingOf(Buffer.from([1, 2, 3, 4]))).toBeNull();
    expect(encodingOf(Buffer.from([0, 0, 0, 0]))).toBeNull();
    expect(encodingOf(Buffer.from([0xe9, 0x81, 0x41]))).toBeNull();
  });
});
