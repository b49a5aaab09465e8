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
import {
  docxFile,
  epubFile,
  odpFile,
  odsFile,
  odtFile,
  pptxFile,
  xlsxFile,
} from "../../src/ingest/testing/office-files.ts";
import { pdfFile } from "../../src/ingest/testing/pdf-file.ts";
import { pngFile } from "../../src/ingest/testing/png-file.ts";
import { wavFile } from "../../src/ingest/testing/wav-file.ts";
import { zipFile } from "../../src/ingest/testing/zip-file.ts";

/** A small file of each type that ingest reads. Made once: some take long. */
export const SAMPLES: readonly (readonly [name: string, bytes: Buffer])[] = [
  ["a.pdf", pdfFile([["Premiere page"], ["Seconde page"]], { title: "Titre" })],
  ["a.html", Buffer.from("<h1>Titre</h1><p>Un <b>texte</b></p><table><tr><td>a</td></tr></table>")],
  [
    "a.eml",
    Buffer.from(
      'From: a@example.org\r\nSubject: =?utf-8?b?w6l0w6k=?=\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>Texte</p>\r\n--x--\r\n',
    ),
  ],
  ["a.csv", Buffer.from('Nom;Prix\n"Pelle; ""grande""";12,50\n')],
  ["a.md", Buffer.from("---\ntags: [a]\n---\n\n# Titre\n\n- un\n")],
  ["a.txt", Buffer.from("\uFEFFUn été à la mer.\r\nFin.", "utf16le")],
  ["a.zip", zipFile({ "a.txt": "un", "b/c.md": "# Deux" })],
  ["a.docx", docxFile()],
  ["a.odt", odtFile()],
  ["a.ods", odsFile()],
  ["a.pptx", pptxFile()],
  ["a.xlsx", xlsxFile()],
  ["a.epub", epubFile()],
  ["a.ipynb", Buffer.from(NOTEBOOK)],
  ["a.rss", Buffer.from(FEED)],
  ["a.ics", Buffer.from(CALENDAR)],
  ["a.vcf", Buffer.from(CONTACTS)],
  ["chat.txt", Buffer.from(WHATSAPP)],
  ["a.enex", Buffer.from(ENEX)],
  ["chatgpt.json", Buffer.from(CHATGPT)],
  ["slack.zip", slackFile()],
  ["keep.zip", keepFile()],
  ["notion.zip", notionFile()],
  ["a.msg", msgFile({ "0037": "Devis", "1000": "Voici." })],
  ["a.png", pngFile(20, 20)],
  [
    "a.gif",
    picture("47494638396114001400800000ff0000ffffff2c000000001400140000020984 8fa9cbed0fa39c003b"),
  ],
  [
    "a.jpg",
    picture(
      "ffd8ffe000104a46494600010100000100010000ffc0000b080014001401011100ffda0008010100003f00ffd9",
    ),
  ],
  ["a.webp", Buffer.from("RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x13\0\0\x13\0\0", "latin1")],
  [
    "a.svg",
    Buffer.from(
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><title>Plan</title><g style="opacity:0"><text>x</text></g><text x="1">North <tspan>bed</tspan></text></svg>',
    ),
  ],
  ["a.wav", wavFile().subarray(0, 4000)],
  ["a.odp", odpFile()],
  ["a.atom", Buffer.from(ATOM)],
  ["claude.json", Buffer.from(CLAUDE)],
  ["a.tsv", Buffer.from("Nom\tPrix\nPelle\t12,50\n")],
];

function picture(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(" ", ""), "hex");
}
