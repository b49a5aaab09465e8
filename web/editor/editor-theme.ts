import { EditorView } from "@codemirror/view";

/** The editor in the colours of the page, whichever theme that has. */
export const editorTheme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "transparent", fontSize: "1rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "1.65" },
  // No least height: the editor measures its lines again when its content changes its height, and only then.
  ".cm-content": { padding: "0.25rem 0 30dvh", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "var(--accent-soft)" },
  ".tok-heading, .tok-strong": { fontWeight: "650" },
  ".tok-emphasis": { fontStyle: "italic" },
  ".tok-link, .tok-url": { color: "var(--accent)" },
  ".tok-monospace": {
    fontFamily: 'ui-monospace, Menlo, Consolas, "Liberation Mono", monospace',
    fontSize: "0.92em",
  },
  ".tok-meta": { color: "var(--muted)" },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "0.5rem",
    color: "var(--ink)",
    backgroundColor: "var(--raised)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "inherit",
    maxWidth: "min(28rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.35rem 0.6rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
  },
  ".cm-completionDetail": { fontStyle: "normal", fontSize: "0.85em" },
});
