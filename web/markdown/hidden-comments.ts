/** Stands where a comment was: no whitespace, which would make code of what follows, and in no note of anybody. */
const FILLER = "\u{E000}";

/** Code and formulas, which keep what looks like a comment or a name; then comments, and the names of blocks. */
const KEPT_OR_HIDDEN =
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n[^]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![^]))|(`+)(?!`)[^]*?[^`]\2(?!`)|^ {0,3}\$\$[^]*?\$\$|%%[^]*?%%|(?<=^|[ \t])\^[a-z\d-]+(?=[ \t]*$)/gimu;

/** A note with its `%%comments%%` and the names of its blocks (` ^name` at the end of a line) hidden. Of equal length, so that lines and positions stay. */
export function hideComments(text: string): string {
  if (!text.includes("%%") && !/(?:^|[ \t])\^/mu.test(text)) return text;
  return text.replaceAll(KEPT_OR_HIDDEN, (found) =>
    /^(?:%%|\^)/u.test(found) ? found.replaceAll(/[^\r\n]/gu, FILLER) : found,
  );
}

/** A text of such a note, as it is shown. */
export function withoutFiller(text: string): string {
  return text.includes(FILLER) ? text.replaceAll(FILLER, "") : text;
}
