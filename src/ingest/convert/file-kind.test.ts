import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { kindOf } from "./file-kind.ts";
import { docxFile, epubFile, odtFile, pptxFile, xlsxFile } from "../testing/office-files.ts";
import { pdfFile } from "../testing/pdf-file.ts";
import { pngFile } from "../testing/png-file.ts";
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
    ["disk.img", Buffer.from([0, 1, 2, 3, 0, 250]), "Taken in are markdown"],
    ["photo.tiff", Buffer.from("49492a0008000000000000000000", "hex"), "PNG or JPEG"],
  ])("is refused with what to do: %s", async (name, bytes, advice) => {
    const refusal = await refusalOf(async () => kindOf(name, Buffer.from(bytes)));
    expect(refusal?.message).toContain(name);
    expect(refusal?.message).toContain(advice);
  });
});
