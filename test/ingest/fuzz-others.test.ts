import { describe, expect, it } from "vitest";

import { pdfFile } from "../../src/ingest/testing/pdf-file.ts";
import { pngFile } from "../../src/ingest/testing/png-file.ts";
import { wavFile } from "../../src/ingest/testing/wav-file.ts";
import { zipFile } from "../../src/ingest/testing/zip-file.ts";
import { fuzz } from "./fuzz.ts";

const HTML = Buffer.from(
  `<!doctype html><html><head><title>Potager</title><script>let a = "<p>"</script></head><body><nav><a href="/">x</a></nav><article><h1>Potager</h1>${"<p>Semer, arroser, attendre &amp; récolter.</p>".repeat(10)}<ul><li>un<ul><li>deux</li></ul></li></ul><table><tr><td>a</td><td colspan="2">b</td></tr></table><img src="data:image/png;base64,${pngFile().toString("base64")}"></article></body></html>`,
);

const MAIL = Buffer.from(
  `From: =?utf-8?q?Chlo=C3=A9?= <a@example.org>\r\nTo: b@example.org\r\nSubject: =?utf-8?b?w6l0w6k=?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>L=E9gumes</p>\r\n--x\r\nContent-Type: application/octet-stream; name="a.bin"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAECAwQ=\r\n--x--\r\n`,
);

describe("2,000 mutated files", () => {
  it.each([
    [
      "a.pdf",
      pdfFile([["Premiere page", "avec deux lignes"], ["Seconde page"]], {
        title: "Titre",
        script: "x",
      }),
    ],
    ["a.html", HTML],
    ["a.eml", MAIL],
    ["a.csv", Buffer.from('Nom;Prix\n"Pelle; ""grande""";12,50\nBêche;3\n')],
    ["a.md", Buffer.from("---\ntags: [a]\n---\n\n# Titre\n\n- un\n  - deux\n\n```\ncode\n```\n")],
    ["a.txt", Buffer.from("\ufeffUn été à la mer.\r\nFin.", "utf16le")],
    [
      "a.zip",
      zipFile({ "a.txt": "un", "b/c.md": "# Deux", "d.zip": zipFile({ "e.txt": "trois" }) }),
    ],
    ["a.png", pngFile(20, 20)],
    ["a.wav", wavFile()],
  ])("bring nothing down: %s", async (name, original) => {
    const { givenUp } = await fuzz(name, original, 2);
    expect(givenUp).toBe(0);
  });
});
