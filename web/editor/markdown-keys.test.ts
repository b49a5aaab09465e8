import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";

import { insertLink, toggleMark } from "./markdown-keys.ts";

/** A text with its selection between `<` and `>`. */
function stateOf(text: string): EditorState {
  const anchor = text.indexOf("<");
  return EditorState.create({
    doc: text.replace("<", "").replace(">", ""),
    selection: { anchor, head: text.indexOf(">") - 1 },
  });
}

function shown({ doc, selection }: EditorState): string {
  const text = doc.toString();
  const { from, to } = selection.main;
  return `${text.slice(0, from)}<${text.slice(from, to)}>${text.slice(to)}`;
}

it.each([
  ["**", "a <b> c", "a **<b>** c"],
  ["**", "a **<b>** c", "a <b> c"],
  ["**", "<>", "**<>**"],
  ["**", "**<>**", "<>"],
  ["**", "**bold<>**", "**bold**<>"],
  ["*", "**<b>**", "***<b>***"],
  ["*", "*<b>*", "<b>"],
])("%s around %j gives %j", (mark, before, after) => {
  let state = stateOf(before);
  toggleMark(mark)({ state, dispatch: (transaction) => (state = transaction.state) });
  expect(shown(state)).toBe(after);
});

it.each([
  ["a <b> c", "a [b](<>) c"],
  ["a <> c", "a [<>]() c"],
])("a link of %j is %j", (before, after) => {
  let state = stateOf(before);
  insertLink({ state, dispatch: (transaction) => (state = transaction.state) });
  expect(shown(state)).toBe(after);
});
