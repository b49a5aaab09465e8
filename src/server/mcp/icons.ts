import type { Icon } from "@modelcontextprotocol/server";

/** Strokes in a square of 24, in the colour of the text around them. */
const STROKES: Readonly<Record<string, string>> = {
  tree: "M4 4v16h5M4 12h5M13 8h7M13 12h7M13 20h7",
  read: "M4 5h7v15H4zM13 5h7v15h-7z",
  search: "M10 4a6 6 0 1 0 .1 0M15 15l5 5",
  concat: "M5 4h14v6H5zM5 14h14v6H5z",
  write: "M6 3h9l3 3v15H6zM9 10h6M9 14h6",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  append: "M4 6h10M4 12h10M4 18h6M18 13v8M14 17h8",
  move: "M4 12h15M14 7l5 5-5 5",
  delete: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  remember: "M12 3v12M7 10l5 5 5-5M4 20h16",
  recall: "M5 5h14v10h-8l-4 4v-4H5z",
  inbox: "M4 13h5l1 3h4l1-3h5M4 13l3-8h10l3 8v6H4z",
  file: "M3 6h7l2 2h9v11H3z",
  undo: "M8 5L4 9l4 4M4 9h9a6 6 0 0 1 0 12h-2",
  verify: "M4 12l5 6L20 6",
};

/** What clients show people beside a tool; undefined for one without a picture. */
export function toolIcons(name: string): Icon[] | undefined {
  const strokes = Object.hasOwn(STROKES, name) ? STROKES[name] : undefined;
  return strokes === undefined ? undefined : [iconOf(strokes)];
}

/** A strongbox, as on the page. */
export const serverIcons: Icon[] = [iconOf("M4 4h16v14H4zM7 18v2M17 18v2M12 8a3 3 0 1 0 .1 0")];

function iconOf(strokes: string): Icon {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"><path d="${strokes}"/></svg>`;
  return {
    src: `data:image/svg+xml,${encodeURIComponent(svg).replaceAll("%2F", "/")}`,
    mimeType: "image/svg+xml",
    sizes: ["any"],
  };
}
