/** Lines of a file, from 1, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** An address of the page in its parts, decoded: `/view/rest?query#mark`. */
export interface Place {
  /** See the table of views; `home` for `/`. */
  readonly view: string;
  readonly rest: string;
  readonly query: URLSearchParams;
  readonly mark: string;
}

export const HOME = "/";

/**
 * The address of a file or folder.
 * @param path `vault/…`, of a folder with a final slash
 * @param mark the lines or the heading to go to
 */
export function fileAddress(path: string, mark: LineRange | string | null = null): string {
  if (path.endsWith("/")) return `/folder/${encodePath(path)}`;
  const hash = mark === null || typeof mark === "string" ? mark : `L${formatLines(mark)}`;
  return `/file/${encodePath(path)}${hash === null ? "" : `#${encodeURIComponent(hash)}`}`;
}

/** Where a note is written. */
export function editAddress(path: string): string {
  return `${fileAddress(path)}?edit=yes`;
}

export function searchAddress(query: string): string {
  return query === "" ? "/search" : `/search?${new URLSearchParams({ q: query })}`;
}

/** @param ref of an item; null for the whole inbox */
export function inboxAddress(ref: string | null = null): string {
  return ref === null ? "/inbox" : `/inbox/${encodeURIComponent(ref)}`;
}

/** @param path of a file; null for the whole vault */
export function historyAddress(path: string | null = null): string {
  return path === null ? "/history" : `/history?${new URLSearchParams({ path })}`;
}

export function placeAt({ pathname, searchParams, hash }: URL): Place {
  const [, view = "", ...parts] = pathname.split("/").map(decodePart);
  const rest = parts.join("/");
  const isHome = view === "" || (rest === "" && (view === "file" || view === "folder"));
  const mark = decodePart(hash.slice(1));
  return { view: isHome ? "home" : view, rest, query: searchParams, mark };
}

/** The file or folder at a place, as in {@link fileAddress}; null at other views. */
export function pathAt({ view, rest }: Place): string | null {
  if (view === "folder") return rest.endsWith("/") ? rest : `${rest}/`;
  return view === "file" ? rest : null;
}

/** The lines that a mark names, such as `L9-14`; null when it names a heading, or nothing. */
export function linesIn(mark: string): LineRange | null {
  return mark.startsWith("L") ? parseLines(mark.slice(1)) : null;
}

/** `9-14`, or `9`, as the tools write lines. Null when it is neither. */
export function parseLines(text: string): LineRange | null {
  const [, first, last] = /^(\d{1,9})(?:-L?(\d{1,9}))?$/u.exec(text) ?? [];
  if (first === undefined) return null;
  const [start, end] = [Number(first), Number(last ?? first)];
  return start >= 1 && end >= start ? { start, end } : null;
}

export function formatLines({ start, end }: LineRange): string {
  return start === end ? String(start) : `${start}-${end}`;
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
