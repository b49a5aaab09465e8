import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { markdown, markdownKeymap, markdownLanguage } from "@codemirror/lang-markdown";
import { syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

import { editorTheme } from "./editor-theme.ts";
import { completions } from "./completions.ts";
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
  readonly paths: () => readonly string[];
  readonly tags: () => Promise<readonly string[]>;
}

/** An editor of markdown. */
export interface MarkdownEditor {
  /** Another text, by a change that is not the person's: the cursor stays where it is in what stays. */
  readonly setText: (text: string) => void;
  readonly focus: () => void;
  readonly destroy: () => void;
}

/** By which the policy of the page lets the editor's styles in. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

export function createEditor(options: EditorOptions): MarkdownEditor {
  const { parent, text, label, onChange, onSave, paths, tags } = options;
  let isOurs = false;
  const insertFiles = async (
    target: EditorView,
    files: readonly File[],
    at: number | null,
  ): Promise<void> => {
    const insert = await options.onFiles(files);
    // Where the cursor is by now, when they were pasted.
    const place = Math.min(at ?? target.state.selection.main.head, target.state.doc.length);
    target.dispatch({
      changes: { from: place, insert },
      selection: { anchor: place + insert.length },
      userEvent: "input.paste",
    });
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(styleNonce()),
        editorTheme,
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        markdown({ base: markdownLanguage, addKeymap: false }),
        syntaxHighlighting(classHighlighter),
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
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOurs) onChange(update.state.doc.toString());
        }),
        EditorView.domEventHandlers({
          paste: (event, target) => handleFiles(event, event.clipboardData, null, target),
          drop: (event, target) => {
            const at = target.posAtCoords({ x: event.clientX, y: event.clientY });
            return handleFiles(event, event.dataTransfer, at ?? target.state.doc.length, target);
          },
        }),
      ],
    }),
  });
  function handleFiles(
    event: Event,
    data: DataTransfer | null,
    at: number | null,
    target: EditorView,
  ): boolean {
    const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
    if (files.length === 0) return false;
    event.preventDefault();
    event.stopPropagation();
    void insertFiles(target, files, at);
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
