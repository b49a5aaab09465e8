import { describe, expect, it } from "vitest";

import {
  ATOM,
  CALENDAR,
  CHATGPT,
  CLAUDE,
  CONTACTS,
  ENEX,
  FEED,
  keepFile,
  NOTEBOOK,
  notionFile,
  slackFile,
  WHATSAPP,
} from "../../src/ingest/testing/exported-files.ts";
import { msgFile } from "../../src/ingest/testing/msg-file.ts";
import { pdfFile } from "../../src/ingest/testing/pdf-file.ts";
import { inHebrewFont, placedPdf } from "../../src/ingest/testing/placed-pdf.ts";
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

const SVG =
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><title>Plan</title><g style="opacity:0"><text>x</text></g><text x="1">North <tspan>bed</tspan></text></svg>';

const HIDDEN = `<html><head><style>.a > .b, p.c { display: none } @media all { i { color: #fff } }</style></head><body><div class="a"><p class="b">x</p></div><p class="c" style="font-size:0">y</p><table bgcolor="#123"><tr><td style="color:rgb(17,34,51)">z</td></tr></table><math><mfrac><mi>a</mi><msqrt><mn>2</mn></msqrt></mfrac></math></body></html>`;

describe("2,000 mutated files", () => {
  it.each([
    [
      "a.pdf",
      pdfFile([["Premiere page", "avec deux lignes"], ["Seconde page"]], {
        title: "Titre",
        script: "x",
      }),
    ],
    [
      "layout.pdf",
      placedPdf([
        {
          texts: [
            ...["Kiln", "small", "large"].map((text, at) => ({ x: 60, y: 60 + at * 30, text })),
            ...["Price", "12", "20"].map((text, at) => ({ x: 160, y: 60 + at * 30, text })),
            { x: 60, y: 200, text: inHebrewFont("שלום"), font: "hebrew" },
          ],
          lines: [45, 75, 105, 135].map((y) => [50, y, 250, y]),
          annotations: [
            "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(Ada)/Rect[100 700 250 720]>>",
            "<</Type/Annot/Subtype/Link/Rect[60 720 134 790]/A<</S/URI/URI(https://example.org/)>>>>",
          ],
        },
      ]),
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
    ["a.ipynb", Buffer.from(NOTEBOOK)],
    ["a.rss", Buffer.from(FEED)],
    ["a.atom", Buffer.from(ATOM)],
    ["a.ics", Buffer.from(CALENDAR)],
    ["a.vcf", Buffer.from(CONTACTS)],
    ["chat.txt", Buffer.from(WHATSAPP)],
    ["a.enex", Buffer.from(ENEX)],
    ["chatgpt.json", Buffer.from(CHATGPT)],
    ["claude.json", Buffer.from(CLAUDE)],
    ["slack.zip", slackFile()],
    ["keep.zip", keepFile()],
    ["notion.zip", notionFile()],
    ["a.msg", msgFile({ "0037": "Devis", "0C1A": "Chloé", "1000": "Voici. ".repeat(800) })],
    ["a.svg", Buffer.from(SVG)],
    ["hidden.html", Buffer.from(HIDDEN)],
    ["a.png", pngFile(20, 20)],
    ["a.wav", wavFile()],
  ])("bring nothing down: %s", async (name, original) => {
    const { givenUp } = await fuzz(name, original, 2);
    expect(givenUp).toBe(0);
  });
});
