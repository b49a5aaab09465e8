import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from "@codemirror/autocomplete";

import { isMarkdown, nameOf, ROOT } from "../tree/paths.ts";

/** Names that are offered: more would only be scrolled through. */
const MOST = 50;

/** `[[`: the notes and files of the vault, by their names; by their paths where two have one name. */
export function linkCompletions(paths: () => readonly string[]): CompletionSource {
  return (context: CompletionContext): CompletionResult | null => {
    const typed = context.matchBefore(/\[\[[^\]\n|#]*/u);
    if (typed === null) return null;
    const wanted = typed.text.slice(2).toLowerCase();
    const all = paths();
    const counts = new Map<string, number>();
    for (const path of all) counts.set(nameOf(path), (counts.get(nameOf(path)) ?? 0) + 1);
    const options = all
      .filter((path) => path.toLowerCase().includes(wanted))
      .toSorted((a, b) => rank(a, wanted) - rank(b, wanted) || (a < b ? -1 : 1))
      .slice(0, MOST)
      .map((path) => linkCompletion(path, counts.get(nameOf(path)) === 1));
    return { from: typed.from + 2, options, filter: false };
  };
}

function rank(path: string, wanted: string): number {
  const name = nameOf(path).toLowerCase();
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
export function tagCompletions(tags: () => Promise<readonly string[]>): CompletionSource {
  return async (context) => {
    const typed = context.matchBefore(/(?:^|[\s(])#[\p{L}\p{N}_/-]*/u);
    if (typed === null) return null;
    const hash = typed.text.indexOf("#");
    const wanted = typed.text.slice(hash + 1).toLowerCase();
    if (wanted === "" && !context.explicit) return null;
    const options = (await tags())
      .filter((tag) => tag.toLowerCase().startsWith(wanted) && tag.toLowerCase() !== wanted)
      .slice(0, MOST)
      .map((tag) => ({ label: tag }));
    return options.length === 0 ? null : { from: typed.from + hash + 1, options, filter: false };
  };
}
