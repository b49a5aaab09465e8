/*
 * Commands and services speak English, also over HTTP. A person's own language is put in where a text is shown: a text is looked up sentence
 * by sentence, and paths and values in it stay as they are. A sentence that is not in the catalogue stays English.
 */

type Texts = Readonly<Record<string, string>>;

export interface Catalogue {
  /** Sentences by their English; `{0}` stands for a value. */
  readonly sentences: Texts;
  /** Counted things: `file`, `files`. */
  readonly nouns: Texts;
  /** What an error code means, for messages that have no sentence of their own. */
  readonly codes: Texts;
  /** Between two choices. */
  readonly or: string;
}

/** Puts our own words into another language; what is not ours in them stays. */
export interface Translator {
  /** Line by line. */
  text(english: string): string;
  /** An error that is not in the catalogue follows what its code means. */
  error(code: string, english: string): string;
}

interface Template {
  readonly pattern: RegExp;
  readonly said: string;
}

export function createTranslator({ sentences, nouns, codes, or }: Catalogue): Translator {
  let templates: readonly Template[] | null = null;

  const text = (english: string): string => english.split("\n").map(line).join("\n");

  function line(english: string): string {
    const indent = /^\s*/u.exec(english)?.[0] ?? "";
    const said = english.slice(indent.length);
    return said === "" ? english : indent + (translated(said) ?? said);
  }

  /** Null when the text does not begin with a sentence of the catalogue. */
  function translated(english: string): string | null {
    // A line of a tree, of which there may be thousands.
    if (/\[[^\][]* · [^\][]*\]$/u.test(english)) return null;
    return sentences[english] ?? countedNoun(english) ?? exactStart(english) ?? matched(english);
  }

  /** A sentence without values, with others after it. */
  function exactStart(english: string): string | null {
    for (const { index } of english.matchAll(/[.?:] /gu)) {
      const said = sentences[english.slice(0, index + 1)];
      if (said !== undefined) return `${said} ${followed(english.slice(index + 2))}`;
    }
    return null;
  }

  function matched(english: string): string | null {
    templates ??= templatesOf(sentences);
    for (const { pattern, said } of templates) {
      const found = pattern.exec(english);
      if (found === null) continue;
      const values = found.slice(1);
      const rest = found.groups?.["rest"];
      const filled = said.replaceAll(/\{(\d)\}/gu, (_, at: string) => valueOf(values[Number(at)]));
      return rest === undefined ? filled : `${filled} ${followed(rest)}`;
    }
    return null;
  }

  function followed(english: string): string {
    return translated(english) ?? english;
  }

  /** Paths and values stay; counted things and known words in them do not. */
  function valueOf(value = ""): string {
    const parts = value.split(/(, | → | or | \(|\))/u);
    const said = (part: string): string => knownWords(part) ?? countedNoun(part) ?? part;
    return (
      knownWords(value) ?? parts.map((part) => (part === " or " ? ` ${or} ` : said(part))).join("")
    );
  }

  /** Inside a sentence the words of another begin with a small letter. */
  function knownWords(english: string): string | null {
    const known = sentences[english.charAt(0).toUpperCase() + english.slice(1)];
    if (known === undefined) return null;
    return /^\p{Lu}\p{Lu}/u.test(known) ? known : lowered(known);
  }

  function countedNoun(english: string): string | null {
    const [, count, noun = ""] = /^([\d.,]+[kM]?) (\p{Ll}[\p{L} -]*)$/u.exec(english) ?? [];
    const said = nouns[noun];
    return count === undefined || said === undefined ? null : `${count} ${said}`;
  }

  return {
    text,
    error: (code, english) => {
      const [first = "", ...rest] = english.split("\n");
      const known = translated(first);
      if (known !== null) return [known, ...rest.map(line)].join("\n");
      const meaning = codes[code];
      return meaning === undefined ? english : `${meaning} (${english})`;
    },
  };
}

/** Longer English first, so that the most exact sentence is found; those that begin with a value after all others. */
function templatesOf(sentences: Texts): Template[] {
  return Object.entries(sentences)
    .filter(([english]) => /\{\d\}/u.test(english))
    .toSorted(([a], [b]) => weight(b) - weight(a))
    .map(([english, said]) => ({ pattern: patternOf(english), said }));
}

function weight(english: string): number {
  return english.replaceAll(/\{\d\}/gu, "").length - (english.startsWith("{") ? 1000 : 0);
}

/** Matches the sentence at the start of a text, and the `rest` that follows it. A value at the end takes all there is. */
function patternOf(english: string): RegExp {
  const [head = "", ...rest] = english.split(/\{\d\}/u).map(escaped);
  // A value at the start must not swallow a sentence before it.
  const first = english.startsWith("{") ? String.raw`((?:(?!\. \p{Lu}).)+?)` : "(.+?)";
  const body = rest.map((part, at) => (at === 0 ? first : "(.+?)") + part).join("");
  const end = english.endsWith("}") ? "$" : "(?: (?<rest>.+))?$";
  return new RegExp(`^${head}${body}${end}`, "u");
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`);
}
