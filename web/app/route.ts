/** Lines of a file, from 1, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** What the page shows. Paths are as the service writes them: `vault/…`, folders with a final slash. */
export type Route =
  | { readonly view: "home" }
  | {
      readonly view: "file";
      readonly path: string;
      readonly lines: LineRange | null;
      /** A heading of the file. */
      readonly anchor: string | null;
    }
  | { readonly view: "folder"; readonly path: string }
  | { readonly view: "search"; readonly query: string }
  | { readonly view: "inbox"; readonly ref: string | null }
  | { readonly view: "history"; readonly path: string | null };

export const HOME: Route = { view: "home" };

export function fileRoute(path: string, lines: LineRange | null = null): Route {
  if (path.endsWith("/")) return { view: "folder", path };
  return { view: "file", path, lines, anchor: null };
}

/** The address of a view. */
export function addressOf(route: Route): string {
  switch (route.view) {
    case "home":
      return "/";
    case "file": {
      const { lines, anchor } = route;
      const mark = lines === null ? anchor : `L${formatLines(lines)}`;
      return `/file/${encodePath(route.path)}${mark === null ? "" : `#${encodeURIComponent(mark)}`}`;
    }
    case "folder":
      return `/folder/${encodePath(route.path)}`;
    case "search":
      return route.query === "" ? "/search" : `/search?${new URLSearchParams({ q: route.query })}`;
    case "inbox":
      return route.ref === null ? "/inbox" : `/inbox/${encodeURIComponent(route.ref)}`;
    case "history":
      return route.path === null
        ? "/history"
        : `/history?${new URLSearchParams({ path: route.path })}`;
  }
}

/** The view at an address; home when it is none. */
export function routeAt({ pathname, search, hash }: URL): Route {
  const [, view = "", ...rest] = pathname.split("/").map(decodePart);
  const query = new URLSearchParams(search);
  const path = rest.join("/");
  const mark = decodePart(hash.slice(1));
  switch (view) {
    case "file":
      return path === "" ? HOME : { view, path, lines: parseMark(mark), anchor: anchorIn(mark) };
    case "folder":
      return path === "" ? HOME : { view, path: path.endsWith("/") ? path : `${path}/` };
    case "search":
      return { view, query: query.get("q") ?? "" };
    case "inbox":
      return { view, ref: path === "" ? null : path };
    case "history":
      return { view, path: query.get("path") };
    default:
      return HOME;
  }
}

/** `9-14`, or `9`: what the tools call lines. Null when it is neither. */
export function parseLines(text: string): LineRange | null {
  const [, first, last] = /^(\d{1,9})(?:-L?(\d{1,9}))?$/u.exec(text) ?? [];
  if (first === undefined) return null;
  const [start, end] = [Number(first), Number(last ?? first)];
  return start >= 1 && end >= start ? { start, end } : null;
}

export function formatLines({ start, end }: LineRange): string {
  return start === end ? String(start) : `${start}-${end}`;
}

function parseMark(mark: string): LineRange | null {
  return mark.startsWith("L") ? parseLines(mark.slice(1)) : null;
}

function anchorIn(mark: string): string | null {
  return mark === "" || parseMark(mark) !== null ? null : mark;
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
