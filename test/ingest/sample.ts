/** The one text from which LibreOffice makes the samples, and its parts, to look for them in what comes out. */
export const SAMPLE = {
  title: "L’atelier de céramique",
  headings: [
    [1, "L’atelier de céramique"],
    [2, "Réglages du four"],
    [2, "Coûts de l’hiver"],
    [3, "Remarque finale"],
  ],
  intro: "Le four à céramique coûte cher en électricité ; avant novembre, comparer ",
  link: { text: "les tarifs d’hiver", address: "https://example.org/tarifs" },
  list: [
    [0, "Cuisson lente"],
    [1, "palier à six cents degrés"],
    [1, "refroidissement naturel"],
    [0, "Émaillage au pinceau"],
  ],
  steps: ["Vérifier les cônes", "Fermer la façade", "Noter l’heure"],
  table: [
    ["Poste", "Durée", "Prix"],
    ["Dégourdi", "8 heures", "12,50 €"],
    ["Émail", "10 heures", "19,80 €"],
  ],
  last: "Une seconde page garde l’œuf, la forêt et l’été : Noël, maïs, garçon.",
} as const;

/** Every word that must come through. */
export const SAMPLE_TEXT = [
  ...SAMPLE.headings.map(([, text]) => text),
  SAMPLE.intro,
  SAMPLE.link.text,
  ...SAMPLE.list.map(([, text]) => text),
  ...SAMPLE.steps,
  ...SAMPLE.table.flat(),
  SAMPLE.last,
].join("\n");

const NAMES = ["office", "text", "table", "style", "draw", "presentation"]
  .map((name) => {
    const space = name === "draw" ? "drawing" : name;
    return `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${space}:1.0"`;
  })
  .concat(
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
  )
  .join(" ");

/** Slides must have something to stand on. */
const MASTER =
  '<office:master-styles><style:master-page style:name="M" style:page-layout-name="L"/></office:master-styles>';

export function flatDocument(kind: string, styles: string, body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:automatic-styles>${styles}</office:automatic-styles>${MASTER}<office:body>${body}</office:body></office:document>`;
}

function level(kind: "bullet" | "number", number: number, sign: string): string {
  const margin = (number * 0.63 + 0.64).toFixed(2);
  return `<text:list-level-style-${kind} text:level="${number}" ${sign}><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-0.63cm" fo:margin-left="${margin}cm"/></style:list-level-properties></text:list-level-style-${kind}>`;
}

const LIST_STYLES = `<text:list-style style:name="B">${level("bullet", 1, 'text:bullet-char="•"')}${level("bullet", 2, 'text:bullet-char="◦"')}</text:list-style><text:list-style style:name="N">${level("number", 1, 'style:num-format="1" style:num-suffix="."')}</text:list-style>`;

const paragraph = (text: string): string => `<text:p>${text}</text:p>`;
const item = (inside: string): string => `<text:list-item>${inside}</text:list-item>`;
const link = `<text:a xlink:type="simple" xlink:href="${SAMPLE.link.address}">${SAMPLE.link.text}</text:a>`;

function nestedList(): string {
  const [first, second, third, last] = SAMPLE.list.map(([, text]) => paragraph(text));
  const inner = `<text:list>${item(second ?? "")}${item(third ?? "")}</text:list>`;
  return `<text:list text:style-name="B">${item(`${first}${inner}`)}${item(last ?? "")}</text:list>`;
}

function table(name: string): string {
  const rows = SAMPLE.table.map(
    (cells) =>
      `<table:table-row>${cells.map((text) => `<table:table-cell office:value-type="string">${paragraph(text)}</table:table-cell>`).join("")}</table:table-row>`,
  );
  return `<table:table table:name="${name}"><table:table-column table:number-columns-repeated="3"/>${rows.join("")}</table:table>`;
}

/** The sample as a text document. */
export function sampleText(): string {
  const heading = (at: number): string => {
    const [depth, text] = SAMPLE.headings[at] ?? [1, ""];
    return `<text:h text:outline-level="${depth}">${text}</text:h>`;
  };
  const steps = SAMPLE.steps.map((text) => item(paragraph(text))).join("");
  const styles = `<style:style style:name="PB" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>${LIST_STYLES}`;
  const body = [
    heading(0),
    paragraph(`${SAMPLE.intro}${link}.`),
    heading(1),
    nestedList(),
    `<text:list text:style-name="N">${steps}</text:list>`,
    heading(2),
    table("Prix"),
    heading(3),
    `<text:p text:style-name="PB">${SAMPLE.last}</text:p>`,
  ];
  return flatDocument("text", styles, `<office:text>${body.join("")}</office:text>`);
}

/** The sample as slides: one for each heading. */
export function samplePresentation(): string {
  const titles = SAMPLE.headings.map(([, text]) => text);
  const frame = (y: number, inside: string, kind: string): string =>
    `<draw:frame ${kind} svg:width="24cm" svg:height="4cm" svg:x="1cm" svg:y="${y}cm">${inside}</draw:frame>`;
  const box = (inside: string): string => `<draw:text-box>${inside}</draw:text-box>`;
  const outline = 'presentation:style-name="O" presentation:class="outline"';
  const steps = SAMPLE.steps.map((text) => item(paragraph(text))).join("");
  const bodies = [
    frame(5, box(paragraph(`${SAMPLE.intro}${link}.`)), ""),
    frame(5, box(nestedList()), outline) +
      frame(11, box(`<text:list text:style-name="N">${steps}</text:list>`), ""),
    frame(5, table("Prix"), ""),
    frame(5, box(paragraph(SAMPLE.last)), ""),
  ];
  const pages = bodies.map(
    (body, at) =>
      `<draw:page draw:name="p${at}" draw:master-page-name="M">${frame(1, box(paragraph(titles[at] ?? "")), 'presentation:style-name="T" presentation:class="title"')}${body}</draw:page>`,
  );
  return flatDocument(
    "presentation",
    LIST_STYLES,
    `<office:presentation>${pages.join("")}</office:presentation>`,
  );
}

/** The sample as a workbook: the table, and every other line in a sheet of its own. */
export function sampleWorkbook(): string {
  const lines = SAMPLE_TEXT.split("\n").filter(
    (line) => !SAMPLE.table.flat().some((cell) => cell === line),
  );
  const rows = lines.map(
    (text) =>
      `<table:table-row><table:table-cell office:value-type="string">${paragraph(text)}</table:table-cell><table:table-cell office:value-type="string">${paragraph("texte")}</table:table-cell></table:table-row>`,
  );
  const sheet = `<table:table table:name="Lignes"><table:table-column table:number-columns-repeated="2"/>${rows.join("")}</table:table>`;
  return flatDocument(
    "spreadsheet",
    "",
    `<office:spreadsheet>${table("Prix")}${sheet}</office:spreadsheet>`,
  );
}
