import { sniffImage } from "../../vault/files/image.ts";

export interface PdfFileOptions {
  readonly title?: string;
  /** Run when the document is opened. */
  readonly script?: string;
  /** Says that the document needs a password. */
  readonly isEncrypted?: boolean;
  /** The text of a file that is attached, by its name. */
  readonly attached?: Readonly<Record<string, string>>;
}

/** A PDF with a page for each list of lines. A page without lines has no text: a scan. */
export function pdfFile(
  pages: readonly (readonly string[])[],
  options: PdfFileOptions = {},
): Buffer {
  const objects: string[] = [];
  const add = (text: string): number => objects.push(text);
  const catalog = add("");
  const tree = add("");
  const font = add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>");
  const kids = pages.map((lines) => {
    const shown = lines.map(
      (line, at) => `BT /F 12 Tf 72 ${740 - at * 16} Td (${escaped(line)}) Tj ET`,
    );
    const content = shown.join("\n");
    const stream = add(`<</Length ${content.length}>>stream\n${content}\nendstream`);
    return add(
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 595 842]/Contents ${stream} 0 R/Resources<</Font<</F ${font} 0 R>>>>>>`,
    );
  });
  const info = add(`<</Title(${escaped(options.title ?? "")})>>`);
  const script =
    options.script === undefined
      ? ""
      : `/OpenAction<</S/JavaScript/JS(${escaped(options.script)})>>`;
  const files = Object.entries(options.attached ?? {}).map(([name, text]) => {
    const stream = add(`<</Type/EmbeddedFile/Length ${text.length}>>stream\n${text}\nendstream`);
    const spec = `<</Type/Filespec/F(${escaped(name)})/UF(${escaped(name)})/EF<</F ${stream} 0 R>>>>`;
    return `(${escaped(name)}) ${add(spec)} 0 R`;
  });
  const names = files.length === 0 ? "" : `/Names<</EmbeddedFiles<</Names[${files.join(" ")}]>>>>`;
  objects[catalog - 1] = `<</Type/Catalog/Pages ${tree} 0 R${script}${names}>>`;
  objects[tree - 1] =
    `<</Type/Pages/Kids[${kids.map((kid) => `${kid} 0 R`).join(" ")}]/Count ${kids.length}>>`;
  let lock = "";
  if (options.isEncrypted === true) {
    const key = "00".repeat(32);
    lock = `/Encrypt ${add(`<</Filter/Standard/V 1/R 2/O<${key}>/U<${key}>/P -4>>`)} 0 R/ID[<00><00>]`;
  }
  return assembled(objects, `/Root ${catalog} 0 R/Info ${info} 0 R${lock}`);
}

/** A PDF whose only page is a picture, as a scanner makes it. */
export function imagePdf(jpeg: Buffer): Buffer {
  const facts = sniffImage(jpeg);
  if (facts === null) throw new Error("no picture");
  const content = "q 595 0 0 842 0 0 cm /I Do Q";
  return assembled(
    [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
      `<</Type/XObject/Subtype/Image/Width ${facts.width}/Height ${facts.height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.length}>>stream\n${jpeg.toString("latin1")}\nendstream`,
    ],
    "/Root 1 0 R",
  );
}

/** The file of some objects, each at its number. */
export function assembled(objects: readonly string[], trailer: string): Buffer {
  let text = "%PDF-1.4\n";
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const tail = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer<</Size ${size}${trailer}>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + tail, "latin1");
}

export function escaped(text: string): string {
  return text.replaceAll(/[()\\]/gu, String.raw`\$&`);
}
