export type TagAttributes = Readonly<Record<string, string>>;

/** A piece of HTML as it is written in a note. */
export type HtmlToken =
  | { readonly kind: "open"; readonly name: string; readonly attributes: TagAttributes }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

const INLINE =
  "a abbr b br cite code del em i img ins kbd mark q s samp small span strong sub sup u var wbr";
const BLOCK =
  "blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table tbody td tfoot th thead tr ul";
const ALLOWED = new Set([...INLINE.split(" "), ...BLOCK.split(" ")]);
const VOID = new Set(["br", "hr", "img", "wbr"]);
/** No `style`, no `class`, no `id`, nothing that begins with `on`. */
const ATTRIBUTES = new Set([
  "alt",
  "colspan",
  "height",
  "href",
  "open",
  "rowspan",
  "src",
  "start",
  "title",
  "width",
]);

const TAG =
  /<!--[^]*?(?:-->|$)|<(\/?)([a-z][a-z\d]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/giu;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/gu;

export function isVoid(name: string): boolean {
  return VOID.has(name);
}

/** Reads HTML into tags that are harmless, and text; comments are left out. Null when there is a tag that is not. */
export function htmlTokens(html: string): HtmlToken[] | null {
  const tokens: HtmlToken[] = [];
  let end = 0;
  for (const found of html.matchAll(TAG)) {
    const [whole, slash = "", tag, given = ""] = found;
    if (found.index > end)
      tokens.push({ kind: "text", text: decoded(html.slice(end, found.index)) });
    end = found.index + whole.length;
    const name = tag?.toLowerCase();
    if (name === undefined) continue;
    if (!ALLOWED.has(name)) return null;
    if (slash !== "") tokens.push({ kind: "close", name });
    else tokens.push({ kind: "open", name, attributes: attributesIn(given) });
  }
  if (end < html.length) tokens.push({ kind: "text", text: decoded(html.slice(end)) });
  return tokens;
}

function attributesIn(text: string): TagAttributes {
  const found = [...text.matchAll(ATTRIBUTE)].flatMap(([, name = "", ...values]) => {
    const key = name.toLowerCase();
    const value = decoded(values.find((each) => each !== undefined) ?? "");
    return ATTRIBUTES.has(key) ? [[key, value] as const] : [];
  });
  return Object.fromEntries(found);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u{A0}",
};

/** Character references, of which few are used by hand. */
function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/giu,
    (whole, decimal, hex, name) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      if (name !== undefined) return NAMED[String(name)] ?? whole;
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
