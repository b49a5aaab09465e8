/** Stands where a comment was: no whitespace, which would make code of what follows, and in no note of anybody. */
const FILLER = "\u{E000}";

/** Code, which keeps what looks like a comment; then comments. */
const CODE_OR_COMMENT =
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n[^]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![^]))|(`+)(?!`)[^]*?[^`]\2(?!`)|%%[^]*?%%/gmu;

/** A note with its `%%comments%%` hidden. Of equal length, so that lines and positions stay. */
export function hideComments(text: string): string {
  if (!text.includes("%%")) return text;
  return text.replaceAll(CODE_OR_COMMENT, (found) =>
    found.startsWith("%%") ? found.replaceAll(/[^\r\n]/gu, FILLER) : found,
  );
}

/** A text of such a note, as it is shown. */
export function withoutFiller(text: string): string {
  return text.includes(FILLER) ? text.replaceAll(FILLER, "") : text;
}
