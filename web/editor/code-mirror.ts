import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { markdown, markdownKeymap, markdownLanguage } from "@codemirror/lang-markdown";
import { syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

import { pastedFiles } from "../ui/pasted-files.ts";
import { editorTheme } from "./editor-theme.ts";
import { completions } from "./completions.ts";
import { hasEndlessBlock } from "./longest-block.ts";
import { insertLink, toggleMark } from "./markdown-keys.ts";

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  /** What it is called for those who do not see it. */
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
  /** Files that were pasted or dropped; resolves with what to insert. */
  readonly onFiles: (files: readonly File[]) => Promise<string>;
  /** Pixels at the top of the window that something else covers: the cursor does not go there. */
  readonly covered: () => number;
  readonly paths: () => readonly string[];
  readonly tags: () => Promise<readonly string[]>;
}

/** An editor of markdown. */
export interface MarkdownEditor {
  /** Another text, by a change that is not the person's: the cursor stays where it is in what stays. */
  readonly setText: (text: string) => void;
  readonly focus: () => void;
  /** Resolves when all pictures that were put in have arrived. */
  readonly settled: () => Promise<void>;
  /** Takes it from the page. Pictures that are under way still come into its text, which is told as before. */
  readonly destroy: () => void;
}

/** By which the policy of the page lets the editor's styles in. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

export function createEditor(options: EditorOptions): MarkdownEditor {
  const { parent, text, label, onChange, onSave, covered, paths, tags } = options;
  let isOurs = false;
  /** Where pictures that are under way were dropped; they move with the text around them. */
  const places = new Set<{ at: number }>();
  const underWay = new Set<Promise<void>>();
  const insertFiles = async (
    target: EditorView,
    files: readonly File[],
    dropped: number | null,
  ): Promise<void> => {
    const place = { at: dropped ?? 0 };
    places.add(place);
    const insert = await options.onFiles(files).finally(() => places.delete(place));
    if (insert === "") return;
    // Where the cursor is by now, when they were pasted.
    const from = dropped === null ? target.state.selection.main.head : place.at;
    target.dispatch({
      changes: { from, insert },
      selection: { anchor: from + insert.length },
      userEvent: "input.paste",
    });
  };
  const view = new EditorView({
    parent,
    // Not a listener of updates: an editor that is gone from the page has none.
    dispatchTransactions: (transactions, target) => {
      target.update(transactions);
      for (const { changes } of transactions)
        for (const place of places) place.at = changes.mapPos(place.at);
      const isChanged = transactions.some(({ docChanged }) => docChanged);
      if (isChanged && !isOurs) onChange(target.state.doc.toString());
    },
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(styleNonce()),
        editorTheme,
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.scrollMargins.of(() => ({ top: covered() })),
        // Without colours, and lists that go on by themselves, rather than with keys that take long.
        ...(hasEndlessBlock(text)
          ? []
          : [
              markdown({ base: markdownLanguage, addKeymap: false }),
              syntaxHighlighting(classHighlighter),
            ]),
        autocompletion({ override: [completions(paths, tags)], icons: false }),
        Prec.high(
          keymap.of([
            { key: "Mod-b", run: toggleMark("**"), preventDefault: true },
            { key: "Mod-i", run: toggleMark("*"), preventDefault: true },
            { key: "Mod-k", run: insertLink, preventDefault: true, stopPropagation: true },
            { key: "Mod-s", run: () => (onSave(), true), preventDefault: true },
          ]),
        ),
        keymap.of([
          ...markdownKeymap,
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          indentWithTab,
        ]),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true" }),
        EditorView.domEventHandlers({
          paste: (event, target) =>
            handleFiles(event, pastedFiles(event.clipboardData), null, target),
          drop: (event, target) => {
            const at = target.posAtCoords({ x: event.clientX, y: event.clientY }, false);
            return handleFiles(event, [...(event.dataTransfer?.files ?? [])], at, target);
          },
        }),
      ],
    }),
  });
  function handleFiles(
    event: Event,
    given: readonly File[],
    at: number | null,
    target: EditorView,
  ): boolean {
    const files = given.filter(({ type }) => type.startsWith("image/"));
    if (files.length === 0) return false;
    event.preventDefault();
    event.stopPropagation();
    const work = insertFiles(target, files, at).finally(() => underWay.delete(work));
    underWay.add(work);
    return true;
  }
  return {
    setText: (next) => {
      const present = view.state.doc.toString();
      if (present === next) return;
      isOurs = true;
      view.dispatch({ changes: differenceOf(present, next) });
      isOurs = false;
    },
    focus: () => view.focus(),
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    destroy: () => view.destroy(),
  };
}

/** What to replace in one text to have another. */
export function differenceOf(
  present: string,
  next: string,
): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < present.length && from < next.length && present[from] === next[from]) from += 1;
  let end = 0;
  const most = Math.min(present.length, next.length) - from;
  while (end < most && present[present.length - 1 - end] === next[next.length - 1 - end]) end += 1;
  return { from, to: present.length - end, insert: next.slice(from, next.length - end) };
}
