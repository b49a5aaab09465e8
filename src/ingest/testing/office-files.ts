import { pngFile } from "./png-file.ts";
import { zipFile } from "./zip-file.ts";

/*
 * Small documents of each kind, made as the formats have them. They hold the same few things: headings, a nested list, a table, a link,
 * accents, a picture.
 */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function contentTypes(main: string, type: string): string {
  return `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;
}

/** @param list type, target, and `External` for what lies outside */
function relations(...list: readonly (readonly [string, string, string?])[]): string {
  const lines = list.map(
    ([type, target, mode], at) =>
      `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"${mode === undefined ? "" : ` TargetMode="${mode}"`}/>`,
  );
  return `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join("")}</Relationships>`;
}

function coreProperties(title: string): string {
  return `${XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp:coreProperties>`;
}

/** More of a document: relations of its main part, and the parts they lead to. */
export interface MoreParts {
  readonly relations?: readonly (readonly [string, string, string?])[];
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
}

export function docxFile({
  title = "Le jardin",
  body = DOCX_BODY,
  relations: more = [],
  parts = {},
}: MoreParts & { readonly title?: string; readonly body?: string } = {}): Buffer {
  return zipFile({
    ...parts,
    "[Content_Types].xml": contentTypes("word/document.xml", "wordprocessingml.document"),
    "_rels/.rels": relations(["officeDocument", "word/document.xml"]),
    "docProps/core.xml": coreProperties(title),
    "word/_rels/document.xml.rels": relations(
      ["hyperlink", "https://example.org/semis", "External"],
      ["numbering", "numbering.xml"],
      ["image", "media/image1.png"],
      ...more,
    ),
    "word/numbering.xml": `${XML}<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    "word/media/image1.png": pngFile(),
    "word/document.xml": `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${body}</w:body></w:document>`,
  });
}

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (text: string, properties = ""): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${text}</w:p>`;
const heading = (level: number, text: string): string =>
  paragraph(run(text), `<w:pStyle w:val="Heading${level}"/>`);
const item = (level: number, text: string): string =>
  paragraph(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`);
const cell = (text: string): string => `<w:tc>${paragraph(run(text))}</w:tc>`;
const picture =
  '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="Un arrosoir"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId3"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';

const DOCX_BODY = [
  heading(1, "Le jardin"),
  paragraph(
    `${run("Semer dès février : ")}<w:hyperlink r:id="rId1">${run("les semis d’été")}</w:hyperlink>${run(".")}`,
  ),
  heading(2, "Outils"),
  item(0, "Bêche"),
  item(1, "manche en frêne"),
  item(0, "Arrosoir"),
  `<w:tbl><w:tr>${cell("Mois")}${cell("Tâche")}</w:tr><w:tr>${cell("Mars")}${cell("Tailler")}</w:tr></w:tbl>`,
  picture,
].join("");

export function odtFile({
  content = ODT_BODY,
  manifest = "",
  parts = {},
}: Pick<MoreParts, "parts"> & {
  readonly content?: string;
  readonly manifest?: string;
} = {}): Buffer {
  return odfFile("text", `<office:text>${content}</office:text>`, manifest, parts);
}

export function odpFile(): Buffer {
  const pages = ["Premier", "Second"].map(
    (title) =>
      `<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>${title}</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:list><text:list-item><text:p>Point de ${title}</text:p></text:list-item></text:list></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>À dire</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>`,
  );
  return odfFile("presentation", `<office:presentation>${pages.join("")}</office:presentation>`);
}

export function odsFile(): Buffer {
  const row = (...texts: string[]): string =>
    `<table:table-row>${texts.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join("")}<table:table-cell table:number-columns-repeated="16000"/></table:table-row>`;
  return odfFile(
    "spreadsheet",
    `<office:spreadsheet><table:table table:name="Récoltes">${row("Légume", "Kilos")}${row("Poireaux", "12,5")}<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table></office:spreadsheet>`,
  );
}

function odfFile(
  kind: string,
  body: string,
  manifest = "",
  parts: MoreParts["parts"] = {},
): Buffer {
  const names = ["office", "text", "table", "style", "draw", "presentation"]
    .map((name) => {
      const space = name === "draw" ? "drawing" : name;
      return `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${space}:1.0"`;
    })
    .join(" ");
  return zipFile({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    ...parts,
    "META-INF/manifest.xml": manifest,
    "meta.xml": `${XML}<office:document-meta ${names} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta><dc:title></dc:title></office:meta></office:document-meta>`,
    "content.xml": `${XML}<office:document-content ${names} xmlns:xlink="http://www.w3.org/1999/xlink"><office:automatic-styles><text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style><style:style style:name="T9"><style:text-properties text:display="none"/></style:style></office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    "Pictures/a.png": pngFile(),
  });
}

const ODT_BODY = [
  '<text:h text:outline-level="1">Le jardin</text:h>',
  '<text:p>Semer dès février<text:s text:c="2"/>: <text:a xlink:href="https://example.org/semis">les semis d’été</text:a><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>sous abri</text:p></text:note-body></text:note>.</text:p>',
  "<text:list><text:list-item><text:p>Bêche</text:p><text:list><text:list-item><text:p>manche en frêne</text:p></text:list-item></text:list></text:list-item></text:list>",
  '<text:list text:style-name="N"><text:list-item><text:p>Bêcher</text:p></text:list-item><text:list-item><text:p>Ratisser</text:p></text:list-item></text:list>',
  "<table:table><table:table-row><table:table-cell><text:p>Mois</text:p></table:table-cell><table:table-cell><text:p>Tâche</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Mars</text:p></table:table-cell><table:table-cell><text:p>Tailler</text:p><text:p>et brûler</text:p></table:table-cell></table:table-row></table:table>",
  '<text:p><draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>',
].join("");

export function pptxFile({
  slide: added = "",
  relations: more = [],
  parts = {},
}: MoreParts & { readonly slide?: string } = {}): Buffer {
  const names = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${OFFICE}"`;
  const shape = (type: string, body: string): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${body}</p:txBody></p:sp>`;
  const line = (text: string, level = 0): string =>
    `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody>${line("Mois")}</a:txBody></a:tc><a:tc><a:txBody>${line("Tâche")}</a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody>${line("Mars")}</a:txBody></a:tc><a:tc><a:txBody>${line("Tailler")}</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const link = `<a:p><a:r><a:rPr><a:hlinkClick r:id="rId1"/></a:rPr><a:t>les semis</a:t></a:r></a:p>`;
  const slide = (inside: string): string =>
    `${XML}<p:sld ${names}><p:cSld><p:spTree>${inside}</p:spTree></p:cSld></p:sld>`;
  return zipFile({
    ...parts,
    "[Content_Types].xml": contentTypes("ppt/presentation.xml", "presentationml.presentation"),
    "_rels/.rels": relations(["officeDocument", "ppt/presentation.xml"]),
    "ppt/presentation.xml": `${XML}<p:presentation ${names}><p:sldIdLst><p:sldId id="256" r:id="rId1"/><p:sldId id="257" r:id="rId2"/></p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      ["slide", "slides/slide2.xml"],
      ["slide", "slides/slide1.xml"],
    ),
    "ppt/slides/slide2.xml": slide(
      shape("title", line("Le jardin")) +
        shape("body", line("Bêche") + line("manche en frêne", 1) + line("Arrosoir")) +
        shape("sldNum", line("1")),
    ),
    "ppt/slides/_rels/slide2.xml.rels": relations(["notesSlide", "../notesSlides/notesSlide1.xml"]),
    "ppt/notesSlides/notesSlide1.xml": `${XML}<p:notes ${names}><p:cSld><p:spTree>${shape("body", line("Parler de l’été"))}</p:spTree></p:cSld></p:notes>`,
    "ppt/slides/slide1.xml": slide(
      shape("title", line("Calendrier")) + table + shape("body", link) + added,
    ),
    "ppt/slides/_rels/slide1.xml.rels": relations(
      ["hyperlink", "https://example.org/semis", "External"],
      ...more,
    ),
  });
}

export function xlsxFile({
  rows = 0,
  cells = "",
  relations: more = [],
  ofWorkbook = [],
  parts = {},
}: MoreParts & {
  readonly rows?: number;
  /** More cells of the first row. */
  readonly cells?: string;
  readonly ofWorkbook?: MoreParts["relations"];
} = {}): Buffer {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const many = Array.from(
    { length: rows },
    (_, at) =>
      `<row r="${at + 5}"><c r="A${at + 5}"><v>${at}</v></c><c r="B${at + 5}"><v>1</v></c></row>`,
  );
  return zipFile({
    ...parts,
    ...(more.length === 0 ? {} : { "xl/worksheets/_rels/sheet1.xml.rels": relations(...more) }),
    "[Content_Types].xml": contentTypes("xl/workbook.xml", "spreadsheetml.sheet"),
    "_rels/.rels": relations(["officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": `${XML}<workbook ${main} xmlns:r="${OFFICE}"><sheets><sheet name="Récoltes" sheetId="1" r:id="rId1"/><sheet name="Vide" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      ["worksheet", "worksheets/sheet1.xml"],
      ["worksheet", "worksheets/sheet2.xml"],
      ...ofWorkbook,
    ),
    "xl/styles.xml": `${XML}<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="20"/></cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `${XML}<sst ${main}><si><t>Légume</t></si><si><r><t>Poi</t></r><r><t>reaux | verts</t></r></si></sst>`,
    "xl/worksheets/sheet1.xml": `${XML}<worksheet ${main}><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Kilos</t></is></c><c r="D1" t="inlineStr"><is><t>Le</t></is></c>${cells}</row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><v>0.30000000000000004</v></c><c r="C2" s="2"><v>0.125</v></c><c r="D2" s="1"><v>45366</v></c><c r="E2" s="3"><v>0.75</v></c><c r="F2" t="b"><v>1</v></c></row>${many.join("")}</sheetData></worksheet>`,
    "xl/worksheets/sheet2.xml": `${XML}<worksheet ${main}><sheetData/></worksheet>`,
  });
}

export function epubFile(): Buffer {
  return zipFile({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `${XML}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    "OEBPS/book.opf": `${XML}<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Traité du potager</dc:title></metadata><manifest><item id="a" href="un.xhtml"/><item id="b" href="deux%20bis.xhtml"/><item id="i" href="img/a.png"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>`,
    "OEBPS/un.xhtml": `${XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><h2>Chapitre deux</h2><p>La récolte. <a href="deux%20bis.xhtml#n">Voir avant</a>.</p></body></html>`,
    "OEBPS/deux bis.xhtml": `${XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><h2>Chapitre un</h2><p>Les semis.</p><img src="img/a.png" alt="plan"/></body></html>`,
    "OEBPS/img/a.png": pngFile(),
  });
}
