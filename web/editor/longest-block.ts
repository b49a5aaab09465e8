/** Lines and characters of one list, quote or paragraph: a keystroke in a longer one is parsed for more than a moment. */
const MOST_LINES = 5000;
const MOST_CHARACTERS = 200_000;

const ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/u;

/**
 * Whether a text has a block that is too long to be parsed at every keystroke. What changes is parsed again together with the block around it,
 * so it is not the length of the note that counts.
 */
export function hasEndlessBlock(text: string): boolean {
  let [lines, characters, isList, wasBlank] = [0, 0, false, true];
  for (const line of text.split("\n")) {
    const isBlank = line.trim() === "";
    if (!isBlank && startsBlock(line, { isList, wasBlank })) {
      [lines, characters, isList] = [0, 0, ITEM.test(line)];
    }
    lines += 1;
    characters += line.length + 1;
    if (lines > MOST_LINES || characters > MOST_CHARACTERS) return true;
    wasBlank = isBlank;
  }
  return false;
}

function startsBlock(
  line: string,
  { isList, wasBlank }: { readonly isList: boolean; readonly wasBlank: boolean },
): boolean {
  if (/^#{1,6}\s/u.test(line)) return true;
  if (ITEM.test(line)) return !isList;
  // An item goes on with lines that are indented, and with any that follow without a blank one.
  return wasBlank && !/^\s/u.test(line);
}
