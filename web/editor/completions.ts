import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from "@codemirror/autocomplete";

import { foldText } from "../tree/fuzzy.ts";
import { isMarkdown, nameOf, ROOT } from "../tree/paths.ts";

/** Names that are offered: more would only be scrolled through. */
const MOST = 50;

/**
 * What `[[` and `#` are completed with. One source, because a list takes no key while any source is asked: with two, Enter right after a letter would
 * break the line instead of taking what is shown.
 */
export function completions(
  paths: () => readonly string[],
  tags: () => Promise<readonly string[]>,
): CompletionSource {
  const [links, ofTags] = [linkCompletions(paths), tagCompletions(tags)];
  return async (context) => links(context) ?? ofTags(context);
}

/** `[[`: the notes and files of the vault, by their names; by their paths where two have one name. */
function linkCompletions(paths: () => readonly string[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const typed = typedLink(context);
    if (typed === null) return null;
    const all = paths();
    const counts = new Map<string, number>();
    for (const path of all) counts.set(nameOf(path), (counts.get(nameOf(path)) ?? 0) + 1);
    return linksWith(typed, all, (path) => counts.get(nameOf(path)) === 1);
  };
}

/** What was typed, without case and accents, and where it begins. */
interface Typed {
  readonly from: number;
  readonly wanted: string;
  /** As it stands there, in lower case. */
  readonly text: string;
}

/** Names of a Mac have their accents apart from their letters. */
function folded(text: string): string {
  return foldText(text.normalize("NFC"));
}

function typedAt(from: number, typed: string): Typed {
  return { from, wanted: folded(typed), text: typed.toLowerCase() };
}

function typedLink(context: CompletionContext): Typed | null {
  const typed = context.matchBefore(/\[\[[^\]\n|#]*/u);
  return typed && typedAt(typed.from + 2, typed.text.slice(2));
}

function linksWith(
  { from, wanted }: Typed,
  paths: readonly string[],
  isOnly: (path: string) => boolean,
): CompletionResult {
  const found = paths.filter((path) => folded(path).includes(wanted));
  const options = found
    .toSorted((a, b) => rank(a, wanted) - rank(b, wanted) || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map((path) => linkCompletion(path, isOnly(path)));
  return {
    from,
    options,
    filter: false,
    // Without asking once more, for the same reason.
    update: (_, start, __, context) => {
      const typed = typedLink(context);
      const isNarrower = typed?.from === start && typed.wanted.startsWith(wanted);
      return isNarrower ? linksWith(typed, found, isOnly) : null;
    },
  };
}

function rank(path: string, wanted: string): number {
  const name = folded(nameOf(path));
  return name.startsWith(wanted) ? 0 : name.includes(wanted) ? 1 : 2;
}

function linkCompletion(path: string, isOnly: boolean): Completion {
  const whole = isOnly ? nameOf(path) : path.slice(ROOT.length);
  const label = isMarkdown(path) ? whole.replace(/\.md$/iu, "") : whole;
  return {
    label,
    detail: path.slice(ROOT.length),
    apply: (view, _, from, to) => {
      const isClosed = view.state.sliceDoc(to, to + 2) === "]]";
      const insert = isClosed ? label : `${label}]]`;
      const anchor = from + label.length + 2;
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor },
        userEvent: "input.complete",
      });
    },
  };
}

/** `#`: the tags of the vault. */
function tagCompletions(tags: () => Promise<readonly string[]>): CompletionSource {
  return async (context) => {
    const typed = typedTag(context);
    if (typed === null || (typed.wanted === "" && !context.explicit)) return null;
    return tagsWith(typed, await tags());
  };
}

function typedTag(context: CompletionContext): Typed | null {
  const typed = context.matchBefore(/(?:^|[\s(])#[\p{L}\p{N}_/-]*/u);
  if (typed === null) return null;
  const start = typed.text.indexOf("#") + 1;
  return typedAt(typed.from + start, typed.text.slice(start));
}

function tagsWith({ from, wanted, text }: Typed, tags: readonly string[]): CompletionResult | null {
  const found = tags.filter((tag) => folded(tag).startsWith(wanted));
  const options = found
    .filter((tag) => tag.toLowerCase() !== text)
    .slice(0, MOST)
    .map((tag) => ({ label: tag }));
  if (options.length === 0) return null;
  return {
    from,
    options,
    filter: false,
    update: (_, start, __, context) => {
      const typed = typedTag(context);
      const isNarrower = typed?.from === start && typed.wanted.startsWith(wanted);
      return isNarrower ? tagsWith(typed, found) : null;
    },
  };
}
