import { describe, expect, it } from "vitest";

import { refusalOf } from "../testing/expected-error.ts";
import { temporaryVault } from "../testing/temporary-vault.ts";
import { createIngest } from "./ingest.ts";
import { materialOf, type Material } from "./material.ts";
import { docxFile } from "./testing/office-files.ts";
import { pdfFile } from "./testing/pdf-file.ts";
import { pngFile } from "./testing/png-file.ts";
import { wavFile } from "./testing/wav-file.ts";
import { zipFile } from "./testing/zip-file.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

async function materialFrom(files: Files, note = "", isTrusted = false): Promise<Material> {
  const ingest = createIngest({ vault: temporaryVault({}), now: () => new Date() });
  const sources = Object.entries(files).map(([name, content]) => ({
    name,
    bytes: Buffer.from(content),
  }));
  return materialOf({ note, files: sources, isTrusted }, ingest);
}

const UNKNOWN = Uint8Array.of(1, 2, 3);

describe("a note with files", () => {
  it("is one text: the note, then what a document says under its name", async () => {
    const material = await materialFrom(
      { "devis.pdf": pdfFile([["Cent euros"]]) },
      "Que penses-tu de ce devis ?",
    );
    expect(material).toEqual({
      content: "Que penses-tu de ce devis ?\n\n## devis.pdf\n\n<!-- page 1 -->\n\nCent euros",
      images: [],
      sources: ["devis.pdf"],
      files: [{ name: "devis.pdf", sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) }],
      isUntrusted: true,
      failures: [],
    });
  });

  it("has the text of a text file as it is, and several under their names", async () => {
    const one = await materialFrom({ "mail.txt": "Varnish is on its way.\n" }, "From the shop:");
    expect(one.content).toBe("From the shop:\n\nVarnish is on its way.");
    const two = await materialFrom({ "one.md": "one\n", "two.txt": "two" });
    expect(two.content).toBe("## one.md\n\none\n\n## two.txt\n\ntwo");
  });

  it("is trusted when the person says that the text is theirs, or when there are only images", async () => {
    expect((await materialFrom({ "a.txt": "a" }, "", true)).isUntrusted).toBe(false);
    const images = await materialFrom({ "roof.png": pngFile() }, "the roof today");
    expect(images).toMatchObject({ content: "the roof today", isUntrusted: false });
    expect(images.images).toEqual([{ name: "roof.png", data: pngFile().toString("base64") }]);
  });

  it("has the pictures of its documents, each under a name of its own, which the text shows", async () => {
    const { content, images } = await materialFrom({ "Un.docx": docxFile(), "2.docx": docxFile() });
    expect(images.map(({ name }) => name)).toEqual(["un-image-1.png", "2-image-1.png"]);
    expect(content).toContain("![Un arrosoir](un-image-1.png)");
    expect(content).toContain("![Un arrosoir](2-image-1.png)");
  });

  it("has a drawing as a picture, and the words in it", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>North</text></svg>';
    const { content, images } = await materialFrom({ "plan.svg": svg }, "the plan");
    expect(content).toBe("the plan\n\n## plan.svg\n\n- North");
    expect(images).toEqual([{ name: "plan.svg", data: Buffer.from(svg).toString("base64") }]);
  });

  it("has what is inside archives, and says what of it cannot be read", async () => {
    const bytes = zipFile({
      "x/prices.csv": "part,price\npump,240",
      "x/vue.png": pngFile(),
      "x/old.bin": Buffer.from(UNKNOWN),
      "x/memo.wav": wavFile(),
    });
    const { content, images, failures } = await materialFrom({ "all.zip": bytes });
    expect(content).toContain("## prices.csv\n\n| part | price |");
    expect(content).toContain("old.bin is of an unknown format");
    expect(content).toContain("memo.wav is a recording");
    expect(images.map(({ name }) => name)).toEqual(["vue.png"]);
    expect(failures).toEqual([]);
  });
});

describe("a file that cannot be read", () => {
  it("is named in the text beside the rest, which counts as the person's own", async () => {
    const material = await materialFrom({ "quote.xyz": UNKNOWN, "roof.png": pngFile() }, "Look");
    expect(material).toMatchObject({
      content: "Look\n\nquote.xyz was sent with this, and could not be read.",
      sources: ["quote.xyz", "roof.png"],
      isUntrusted: false,
      failures: [{ name: "quote.xyz", code: "not_text", message: expect.any(String) }],
    });
  });

  it("is an error when there is nothing else", async () => {
    const refusal = await refusalOf(async () => materialFrom({ "a.xyz": UNKNOWN, "b.txt": "" }));
    expect(refusal?.code).toBe("not_text");
    expect(refusal?.message).toMatch(/^a\.xyz is of an unknown format, .*\nb\.txt is empty\.$/u);
    const recording = await refusalOf(async () => materialFrom({ "memo.wav": wavFile() }));
    expect(recording?.code).toBe("unavailable");
    expect(recording?.message).toContain("COFFRE_TRANSCRIBE_URL");
    const damaged = pngFile().fill(0, 16, 24);
    const image = await refusalOf(async () => materialFrom({ "a.png": damaged }));
    expect(image?.message).toContain("a.png is a damaged image");
  });
});

describe("what is too much for one update", () => {
  it("is refused when it is sent so, and left out when it is in a document", async () => {
    const images = (count: number): Files =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`${at}.png`, pngFile(3, 3, at)]),
      );
    const many = await refusalOf(async () => materialFrom(images(21)));
    expect(many?.message).toContain("These are 21 images; one update takes 20");
    const full = await materialFrom({ ...images(20), "a.docx": docxFile() });
    expect(full.images).toHaveLength(20);
    expect(full.content).toContain("1 pictures in these files were left out");
    const large = await refusalOf(async () =>
      materialFrom({ "a.txt": "abcdefg ".repeat(2_000_000) }),
    );
    expect(large).toMatchObject({
      code: "too_large",
      message: expect.stringMatching(/16 MB; 15 MB .*coffre ingest/u),
    });
  });
});
