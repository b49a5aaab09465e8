import { EditorSelection, type StateCommand } from "@codemirror/state";

/** Puts marks around what is selected, or takes them away when they are there. */
export function toggleMark(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const change = state.changeByRange((range) => {
      const { from, to } = range;
      const isMarked =
        state.sliceDoc(from - mark.length, from) === mark &&
        state.sliceDoc(to, to + mark.length) === mark &&
        // `**bold**` is not also `*italic*`.
        (mark.length > 1 || state.sliceDoc(from - 2, from - 1) !== mark);
      if (isMarked) {
        return {
          changes: [
            { from: from - mark.length, to: from },
            { from: to, to: to + mark.length },
          ],
          range: EditorSelection.range(from - mark.length, to - mark.length),
        };
      }
      // Behind the marks that were typed into.
      if (range.empty && state.sliceDoc(to, to + mark.length) === mark)
        return { range: EditorSelection.cursor(to + mark.length) };
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: EditorSelection.range(from + mark.length, to + mark.length),
      };
    });
    dispatch(state.update(change, { userEvent: "input", scrollIntoView: true }));
    return true;
  };
}

/** Makes a link of what is selected, with the cursor where its address goes. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const change = state.changeByRange(({ from, to }) => {
    const text = state.sliceDoc(from, to);
    const cursor = from + (text === "" ? 1 : text.length + 3);
    return {
      changes: { from, to, insert: `[${text}]()` },
      range: EditorSelection.cursor(cursor),
    };
  });
  dispatch(state.update(change, { userEvent: "input", scrollIntoView: true }));
  return true;
};
