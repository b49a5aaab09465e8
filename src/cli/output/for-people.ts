import { shellQuote } from "../system/shell-quote.ts";

type Rewrite = readonly [call: RegExp, command: (...words: string[]) => string];

/** The calls that tools suggest to a model, and what a person types for each. */
const REWRITES: readonly Rewrite[] = [
  [/\b(tree|read)\("([^"]*)"\)/gu, (_, tool = "", path = "") => command(tool, path)],
  [
    /\bread\("([^"]*)", (head|tail)=(\w+)\)/gu,
    (_, path = "", part = "", size = "") => `${command("read", path)} --${part} ${size}`,
  ],
  [/\bread\(\[([^\]]*)\]\)/gu, (_, list = "") => command("read", ...quoted(list))],
  [
    /\bconcat\(files=\[\{path: "([^"]*)", lines: "([\d-]+)"\}\]\)/gu,
    (_, path = "", lines = "") => command("concat", `${path}:${lines}`),
  ],
  [
    /\bsearch with scopes=\["([^"]*)"\]/gu,
    (_, path = "") => `${command("search", "QUERY")} --scope ${shellQuote(path)}`,
  ],
  [/\bmode="(deep|fast)"/gu, (_, mode = "") => `--mode ${mode}`],
  [/\b(head|tail|depth|limit)=(\d+)/gu, (_, name = "", size = "") => `--${name} ${size}`],
  [/\bdate_(from|to)\b/gu, (_, end = "") => `--${end}`],
  [/\bscopes=\["([^"]*)"\]/gu, (_, path = "") => `--scope ${shellQuote(path)}`],
];

/** A message of a tool with commands in the place of the calls that a model would make. */
export function forPeople(message: string): string {
  return REWRITES.reduce((text, [call, typed]) => text.replace(call, typed), message);
}

/**
 * The same for a whole answer: what stands inside a block is somebody's text and stays.
 * @param translate into the person's language
 */
export function noticesForPeople(answer: string, translate: (text: string) => string): string {
  let isInside = false;
  return answer
    .split("\n")
    .map((line) => {
      if (line.startsWith("```")) {
        isInside = !isInside;
        return line;
      }
      return isInside ? line : translate(forPeople(line));
    })
    .join("\n");
}

function command(...words: readonly string[]): string {
  return ["coffre", ...words.map(shellQuote)].join(" ");
}

function quoted(list: string): string[] {
  return [...list.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, word = ""]) => word);
}
