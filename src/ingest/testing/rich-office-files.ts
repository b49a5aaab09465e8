import { docxFile, odtFile, pptxFile, xlsxFile } from "./office-files.ts";

/*
 * Documents with what is beside their text: formulas, charts, diagrams, comments, text boxes, embedded files.
 */

const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const CHART = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"';
const DIAGRAM = 'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"';
const DRAWING = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';

const points = (...values: readonly string[]): string =>
  values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("");

const CHART_PART = `<c:chartSpace ${CHART} ${DRAWING}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Harvest</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache>${points("Kilos")}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${points("Leeks", "Peas")}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>${points("12.5", "0.30000000000000004")}</c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;

const node = (id: number, text: string): string =>
  `<dgm:pt modelId="${id}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
const DIAGRAM_PART = `<dgm:dataModel ${DIAGRAM} ${DRAWING}><dgm:ptLst><dgm:pt modelId="0" type="doc"/>${node(1, "Sow")}${node(2, "In March")}${node(3, "Reap")}</dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="1"/><dgm:cxn srcId="1" destId="2"/><dgm:cxn srcId="0" destId="3"/></dgm:cxnLst></dgm:dataModel>`;

const frame = (inner: string): string =>
  `<a:graphic ${DRAWING}><a:graphicData>${inner}</a:graphicData></a:graphic>`;
const FORMULA = `<m:oMath ${MATH}><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>`;
const MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** Relations: `rId4` chart, `rId5` diagram, `rId6` comments, `rId7` and `rId8` embedded files. */
export function richDocxFile(): Buffer {
  const run = (inner: string): string => `<w:p><w:r>${inner}</w:r></w:p>`;
  const text = (inner: string): string => `<w:t xml:space="preserve">${inner}</w:t>`;
  return docxFile({
    body: [
      `<w:p><w:r>${text("Grow")}</w:r><w:r><w:commentReference w:id="7"/></w:r></w:p>`,
      run(`<w:drawing>${frame(`<c:chart ${CHART} r:id="rId4"/>`)}</w:drawing>`),
      run(`<w:drawing>${frame(`<dgm:relIds ${DIAGRAM} r:dm="rId5"/>`)}</w:drawing>`),
      `<w:p>${FORMULA}<w:r><w:rPr><w:vanish/></w:rPr>${text("secret")}</w:r></w:p>`,
    ].join(""),
    relations: [
      ["chart", "charts/chart1.xml"],
      ["diagramData", "diagrams/data1.xml"],
      ["comments", "comments.xml"],
      ["package", "embeddings/prices.xlsx"],
      ["oleObject", "embeddings/oleObject1.bin"],
    ],
    parts: {
      "word/charts/chart1.xml": CHART_PART,
      "word/diagrams/data1.xml": DIAGRAM_PART,
      "word/comments.xml": `<w:comments xmlns:w="${MAIN}"><w:comment w:id="7" w:author="Ana [Lee]" w:date="2024-03-02T10:00:00Z"><w:p><w:r>${text("Too early?")}</w:r></w:p></w:comment></w:comments>`,
      "word/embeddings/prices.xlsx": xlsxFile(),
      "word/embeddings/oleObject1.bin": Buffer.from("binary"),
    },
  });
}

/** Relations of the second slide: `rId2` chart, `rId3` diagram, `rId4` comments. */
export function richPptxFile(): Buffer {
  const math = `<mc:AlternateContent><mc:Choice><a14:m>${FORMULA}</a14:m></mc:Choice><mc:Fallback><a:r><a:t>no</a:t></a:r></mc:Fallback></mc:AlternateContent>`;
  return pptxFile({
    slide: [
      `<p:graphicFrame>${frame(`<c:chart ${CHART} r:id="rId2"/>`)}</p:graphicFrame>`,
      `<p:graphicFrame>${frame(`<dgm:relIds ${DIAGRAM} r:dm="rId3"/>`)}</p:graphicFrame>`,
      `<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody><a:p><a:r><a:t>copyright-free</a:t></a:r><a:br/><a:r><a:t>standard</a:t></a:r>${math}</a:p></p:txBody></p:sp>`,
      `<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Two</a:t></a:r><a:br/><a:r><a:t>lines</a:t></a:r></a:p></p:txBody></p:sp>`,
    ].join(""),
    relations: [
      ["chart", "../charts/chart1.xml"],
      ["diagramData", "../diagrams/data1.xml"],
      ["comments", "../comments/comment1.xml"],
    ],
    parts: {
      "ppt/charts/chart1.xml": CHART_PART,
      "ppt/diagrams/data1.xml": DIAGRAM_PART,
      "ppt/comments/comment1.xml": `<p:cmLst><p:cm authorId="0" dt="2024-03-02T10:00:00"><p:text>Shorter</p:text></p:cm></p:cmLst>`,
      "ppt/commentAuthors.xml": '<p:cmAuthorLst><p:cmAuthor id="0" name="Ana"/></p:cmAuthorLst>',
    },
  });
}

export function richXlsxFile(): Buffer {
  return xlsxFile({
    relations: [
      ["drawing", "../drawings/drawing1.xml"],
      ["comments", "../comments1.xml"],
    ],
    parts: {
      "xl/drawings/drawing1.xml": `<xdr:wsDr ${DRAWING}><xdr:graphicFrame>${frame(`<c:chart ${CHART} r:id="rId1"/>`)}</xdr:graphicFrame><xdr:sp><xdr:txBody><a:p><a:r><a:t>In the box</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>`,
      "xl/drawings/_rels/drawing1.xml.rels":
        '<Relationships><Relationship Id="rId1" Type="x/chart" Target="../charts/chart1.xml"/></Relationships>',
      "xl/charts/chart1.xml": CHART_PART,
      "xl/comments1.xml":
        '<comments><authors><author>Ana</author></authors><commentList><comment ref="B2" authorId="0"><text><r><t>Weighed twice</t></r></text></comment></commentList></comments>',
    },
  });
}

export function richOdtFile(): Buffer {
  return odtFile({
    content:
      '<text:p>Grow<office:annotation><dc:creator>Ana</dc:creator><dc:date>2024-03-02T10:00:00</dc:date><text:p>Too early?</text:p></office:annotation> <text:span text:style-name="T9">secret order</text:span><draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame></text:p><text:p><draw:frame><draw:object xlink:href="Object 2/"/></draw:frame></text:p>',
    parts: {
      "Object 1/content.xml":
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation>x^2</annotation></semantics></math>',
      "Object 2/content.xml":
        "<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Harvest</text:p></chart:title><table:table><table:table-row><table:table-cell/><table:table-cell><text:p>Kilos</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Leeks</text:p></table:table-cell><table:table-cell><text:p>12.5</text:p></table:table-cell></table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>",
    },
  });
}

const NEWER = 'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"';
const NEWER_PART = `<cx:chartSpace ${NEWER} ${DRAWING}><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:f>A2:A3</cx:f><cx:lvl ptCount="2"><cx:pt idx="0">Leeks</cx:pt><cx:pt idx="1">Peas</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:f>B2:B3</cx:f><cx:lvl ptCount="2" formatCode="General"><cx:pt idx="0">12.5</cx:pt><cx:pt idx="1">0.30000000000000004</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Harvest</a:t></a:r></a:p></cx:rich></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:f>B1</cx:f><cx:v>Kilos</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`;

/** In a choice, as Office writes it for programs that do not know such charts. */
const newer = (inner: string, instead: string): string =>
  `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="cx1">${inner}</mc:Choice><mc:Fallback>${instead}</mc:Fallback></mc:AlternateContent>`;

/** A document, a presentation and a workbook with a waterfall. */
export function newerChartFiles(): Readonly<Record<string, Buffer>> {
  const chart = (id: string): string => frame(`<cx:chart ${NEWER} r:id="${id}"/>`);
  const other = "<a:p><a:r><a:t>This chart is not available</a:t></a:r></a:p>";
  return {
    "a.docx": docxFile({
      body: `<w:p><w:r>${newer(`<w:drawing>${chart("rId4")}</w:drawing>`, "<w:pict/>")}</w:r></w:p>`,
      relations: [["chartEx", "charts/chartEx1.xml"]],
      parts: { "word/charts/chartEx1.xml": NEWER_PART },
    }),
    "a.pptx": pptxFile({
      slide: newer(
        `<p:graphicFrame>${chart("rId2")}</p:graphicFrame>`,
        `<p:sp><p:txBody>${other}</p:txBody></p:sp>`,
      ),
      relations: [["chartEx", "../charts/chartEx1.xml"]],
      parts: { "ppt/charts/chartEx1.xml": NEWER_PART },
    }),
    "a.xlsx": xlsxFile({
      relations: [["drawing", "../drawings/drawing1.xml"]],
      parts: {
        "xl/drawings/drawing1.xml": `<xdr:wsDr ${DRAWING}>${newer(`<xdr:graphicFrame>${chart("rId1")}</xdr:graphicFrame>`, `<xdr:sp><xdr:txBody>${other}</xdr:txBody></xdr:sp>`)}</xdr:wsDr>`,
        "xl/drawings/_rels/drawing1.xml.rels":
          '<Relationships><Relationship Id="rId1" Type="x/chartEx" Target="../charts/chartEx1.xml"/></Relationships>',
        "xl/charts/chartEx1.xml": NEWER_PART,
      },
    }),
  };
}
