/** Lines over the number of files, both axes logarithmic, as SVG that is readable on light and dark pages. */

export interface Line {
  readonly name: string;
  readonly points: readonly { readonly files: number; readonly value: number }[];
}

const WIDTH = 720;
const HEIGHT = 400;
const [LEFT, RIGHT, TOP, BOTTOM] = [76, 190, 40, 44];
/** Neutral on white and on black. */
const GREY = "#808080";
const COLOURS = ["#2f81f7", "#d1802b", "#3fa34d", "#b05cc5", "#d64545", "#2aa198", "#8c8c3c"];

export function plot(
  title: string,
  lines: readonly Line[],
  shown: (value: number) => string,
): string {
  const all = lines.flatMap(({ points }) => points);
  const [least, most] = range(all.map(({ value }) => value));
  const [fewest, many] = range(all.map(({ files }) => files));
  const x = (files: number): number => LEFT + share(files, fewest, many) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number =>
    HEIGHT - BOTTOM - share(value, least, most) * (HEIGHT - TOP - BOTTOM);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="${GREY}">`,
    `<title>${escaped(title)}</title>`,
    `<text x="${LEFT}" y="20" font-size="14">${escaped(title)}</text>`,
  ];
  for (const value of powers(least, most)) {
    const at = y(value).toFixed(1);
    parts.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="${GREY}" stroke-opacity="0.3"/>`,
      `<text x="${LEFT - 8}" y="${at}" dy="4" text-anchor="end">${escaped(shown(value))}</text>`,
    );
  }
  for (const files of new Set(all.map((point) => point.files).toSorted((a, b) => a - b)))
    parts.push(
      `<text x="${x(files).toFixed(1)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${files.toLocaleString("en")}</text>`,
    );
  parts.push(
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">files</text>`,
  );
  const labels = spreadOut(lines.map(({ points }) => y(points.at(-1)?.value ?? least)));
  for (const [at, { name, points }] of lines.entries()) {
    const colour = COLOURS[at % COLOURS.length] ?? GREY;
    const path = points.map(({ files, value }) => `${x(files).toFixed(1)},${y(value).toFixed(1)}`);
    const width = at === 0 ? 3 : 1.5;
    parts.push(
      `<polyline points="${path.join(" ")}" fill="none" stroke="${colour}" stroke-width="${width}"/>`,
      ...path.map((point) => {
        const [cx = "", cy = ""] = point.split(",");
        return `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`;
      }),
      `<text x="${WIDTH - RIGHT + 10}" y="${labels[at]?.toFixed(1)}" dy="4" fill="${colour}">${escaped(name)}</text>`,
    );
  }
  return `${[...parts, "</svg>"].join("\n")}\n`;
}

/** From a power of ten to one. */
function range(values: readonly number[]): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high * 1.0001))];
}

function share(value: number, low: number, high: number): number {
  return Math.log(value / low) / Math.log(high / low);
}

function powers(low: number, high: number): number[] {
  const first = Math.round(Math.log10(low));
  const count = Math.round(Math.log10(high)) - first + 1;
  return Array.from({ length: count }, (_, at) => 10 ** (first + at));
}

/** Moves labels down until none covers another. */
function spreadOut(places: readonly number[]): number[] {
  const moved = [...places];
  let last = Number.NEGATIVE_INFINITY;
  const order = [...places.keys()].toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  for (const at of order) {
    last = Math.max(places[at] ?? 0, last + 15);
    moved[at] = last;
  }
  return moved;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
