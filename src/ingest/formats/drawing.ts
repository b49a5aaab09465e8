import { escapeHtml } from "../convert/html.ts";
import {
  childElements,
  descendants,
  firstOf,
  textOf,
  type XmlElement,
} from "../convert/xml-tree.ts";
import type { ZipReader } from "../convert/zip-reader.ts";
import { relationsOf, xmlIn, type Relation } from "./office.ts";

/*
 * What Word, PowerPoint and Excel draw by the same XML: charts, and diagrams that are called SmartArt.
 */

const MAX_POINTS = 2000;
const MAX_SERIES = 50;
const MAX_NODES = 2000;
const DEEPEST = 8;

/** A chart: its title, and its data as a table. */
export function chartHtml(zip: ZipReader, part: string): string {
  const chart = xmlIn(zip, part);
  const titled = firstOf(chart, "c:title");
  const title = titled === undefined ? "" : descendants(titled, "a:t").map(textOf).join("").trim();
  const all = descendants(chart, "c:ser");
  const series = all.slice(0, MAX_SERIES);
  const columns = series.map((each, at) => ({
    name: pointsOf(each, "c:tx").get(0) ?? `Series ${at + 1}`,
    labels: pointsOf(each, "c:cat", "c:xVal"),
    values: pointsOf(each, "c:val", "c:yVal"),
  }));
  return chartTable(title, columns, all.length - columns.length);
}

/** A chart of the newer kind (waterfall, funnel, map and others), which has its data apart from its series. */
function newerChartHtml(zip: ZipReader, part: string): string {
  const chart = xmlIn(zip, part);
  const titled = firstOf(chart, "cx:title");
  const rich = titled === undefined ? [] : descendants(titled, "a:t").map(textOf);
  const plain = titled === undefined ? undefined : firstOf(titled, "cx:v");
  const title = (rich.length > 0 ? rich.join("") : textOf(plain ?? "")).trim();
  const data = new Map(
    descendants(chart, "cx:data").map((each) => [each.attributes["id"] ?? "", each]),
  );
  const all = descendants(chart, "cx:series");
  const columns = all.slice(0, MAX_SERIES).map((series, at) => {
    const tx = firstOf(series, "cx:tx");
    const name = textOf((tx === undefined ? undefined : firstOf(tx, "cx:v")) ?? "").trim();
    const id = firstOf(series, "cx:dataId")?.attributes["val"] ?? "0";
    const found = data.get(id);
    const dimensions = found === undefined ? [] : childElements(found);
    const labels = dimensions.filter((each) => each.name === "cx:strDim");
    const values = dimensions.find((each) => each.name === "cx:numDim");
    return {
      name: name === "" ? `Series ${at + 1}` : name,
      labels: levelsOf(labels),
      values: values === undefined ? new Map<number, string>() : levelsOf([values]),
    };
  });
  return chartTable(title, columns, all.length - columns.length);
}

/** The labels or values of the newer charts by their place; labels of several levels stand from the outermost to the innermost. */
function levelsOf(dimensions: readonly XmlElement[]): Map<number, string> {
  const found = new Map<number, string>();
  const levels = dimensions.flatMap((each) => descendants(each, "cx:lvl")).toReversed();
  for (const level of levels) {
    for (const [at, point] of descendants(level, "cx:pt").entries()) {
      const place = Number(point.attributes["idx"] ?? at) || 0;
      const text = plainNumber(textOf(point));
      const outer = found.get(place);
      found.set(place, outer === undefined ? text : `${outer} / ${text}`);
    }
  }
  return found;
}

interface Column {
  readonly name: string;
  readonly labels: ReadonlyMap<number, string>;
  readonly values: ReadonlyMap<number, string>;
}

/** @param lostSeries how many series were left out: the note says so, below the table */
function chartTable(title: string, columns: readonly Column[], lostSeries: number): string {
  const heading = `<p><strong>Chart${title === "" ? "" : `: ${escapeHtml(title)}`}</strong></p>`;
  const [first] = columns;
  if (first === undefined) return heading;
  const places = new Set(
    columns.flatMap(({ labels, values }) => [...labels.keys(), ...values.keys()]),
  );
  const rows = [...places].toSorted((a, b) => a - b).slice(0, MAX_POINTS);
  const lost = [
    ...(places.size > rows.length ? [`${places.size - rows.length} points`] : []),
    ...(lostSeries > 0 ? [`${lostSeries} series`] : []),
  ];
  const note =
    lost.length === 0 ? "" : `<p><em>Left out of this chart: ${lost.join(" and ")}.</em></p>`;
  const cells = (tag: string, texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join("")}</tr>`;
  const body = rows.map((row) =>
    cells("td", [
      columns.find(({ labels }) => labels.has(row))?.labels.get(row) ?? String(row + 1),
      ...columns.map(({ values }) => values.get(row) ?? ""),
    ]),
  );
  return `${heading}<table>${cells("th", ["", ...columns.map(({ name }) => name)])}${body.join("")}</table>${note}`;
}

/** The values that a chart keeps with itself, by their place. */
function pointsOf(series: XmlElement, ...names: readonly string[]): Map<number, string> {
  const source = childElements(series).find(({ name }) => names.includes(name));
  const points = source === undefined ? [] : descendants(source, "c:pt");
  const found = points.map((point, at): [number, string] => {
    const text = textOf(firstOf(point, "c:v") ?? "");
    return [Number(point.attributes["idx"] ?? at) || 0, plainNumber(text)];
  });
  const single = source === undefined || found.length > 0 ? undefined : firstOf(source, "c:v");
  return single === undefined ? new Map(found) : new Map([[0, textOf(single)]]);
}

/** Without the rounding error of binary fractions. */
function plainNumber(text: string): string {
  const number = Number(text);
  return text.trim() === "" || !Number.isFinite(number)
    ? text
    : String(Number(number.toPrecision(12)));
}

/** A diagram (SmartArt): its texts as a list, each below the one it belongs to. */
export function diagramHtml(zip: ZipReader, part: string): string {
  const data = xmlIn(zip, part);
  const texts = new Map<string, string>();
  const all = descendants(data, "dgm:pt");
  const points = all.slice(0, MAX_NODES);
  for (const point of points) {
    const paragraphs = descendants(point, "a:p").map((each) =>
      descendants(each, "a:t").map(textOf).join("").trim(),
    );
    texts.set(point.attributes["modelId"] ?? "", paragraphs.filter(Boolean).join(" "));
  }
  const below = new Map<string, string[]>();
  const placed = new Set<string>();
  for (const { attributes } of descendants(data, "dgm:cxn").slice(0, MAX_NODES * 4)) {
    if ((attributes["type"] ?? "parOf") !== "parOf") continue;
    const { srcId: from = "", destId: to = "" } = attributes;
    if (placed.has(to) || !texts.has(to)) continue;
    placed.add(to);
    below.set(from, [...(below.get(from) ?? []), to]);
  }
  const written = new Set<string>();
  const list = (ids: readonly string[], depth: number): string => {
    const items = ids.flatMap((id) => {
      if (written.has(id) || depth > DEEPEST) return [];
      written.add(id);
      const inner = list(below.get(id) ?? [], depth + 1);
      const text = texts.get(id) ?? "";
      if (text === "" && inner === "") return [];
      return text === ""
        ? [inner.replace(/^<ul>|<\/ul>$/gu, "")]
        : [`<li>${escapeHtml(text)}${inner}</li>`];
    });
    return items.length === 0 ? "" : `<ul>${items.join("")}</ul>`;
  };
  const ids = [...texts.keys()];
  const lost = all.length - points.length;
  const note = lost === 0 ? "" : `<p><em>Left out of this diagram: ${lost} shapes.</em></p>`;
  return list([...ids.filter((id) => !placed.has(id)), ...ids], 0) + note;
}

/** What a drawing shows besides pictures; null when there is nothing of the kind in it. */
export function drawnHtml(
  drawing: XmlElement,
  zip: ZipReader,
  relations: ReadonlyMap<string, Relation>,
): string | null {
  const part = (id: string | undefined): string => relations.get(id ?? "")?.target ?? "";
  const chart = firstOf(drawing, "c:chart");
  if (chart !== undefined) return chartHtml(zip, part(chart.attributes["r:id"]));
  const newer = firstOf(drawing, "cx:chart");
  if (newer !== undefined) return newerChartHtml(zip, part(newer.attributes["r:id"]));
  const diagram = firstOf(drawing, "dgm:relIds");
  if (diagram !== undefined) return diagramHtml(zip, part(diagram.attributes["r:dm"]));
  return null;
}

/** Files that a part embeds, without the workbooks behind its charts; and the notices for those that cannot be read. */
export function embeddedFiles(
  zip: ZipReader,
  parts: readonly string[],
): { inside: { name: string; bytes: Uint8Array }[]; notices: string[] } {
  const targets = new Set(
    parts.flatMap((part) =>
      [...relationsOf(zip, part).values()]
        .filter(({ type, isOutside }) => !isOutside && /^(?:package|oleObject)$/u.test(type))
        .map(({ target }) => target),
    ),
  );
  const inside: { name: string; bytes: Uint8Array }[] = [];
  let unread = 0;
  for (const target of targets) {
    const bytes = /\.(?:bin|ole)$/iu.test(target) ? null : zip.read(target);
    if (bytes === null) unread += 1;
    else inside.push({ name: target.replace(/^.*\//u, ""), bytes });
  }
  const notice = `${unread === 1 ? "An embedded object" : `${unread} embedded objects`} in the document could not be read, and ${unread === 1 ? "was" : "were"} left out.`;
  return { inside, notices: unread === 0 ? [] : [notice] };
}
