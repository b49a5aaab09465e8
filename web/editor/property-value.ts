/** What a person means by the text of a property: a number, yes or no, a list in brackets, or the text itself. */
export function valueOf(text: string): unknown {
  const plain = text.trim();
  if (/^(?:true|false)$/u.test(plain)) return plain === "true";
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/u.test(plain)) return Number(plain);
  const list = /^\[(.*)\]$/su.exec(plain)?.[1];
  // `[[a link]]` is no list.
  if (list === undefined || list.startsWith("[")) return plain;
  const items = list.split(",").map((item) => item.trim().replace(/^(["'])(.*)\1$/su, "$2"));
  return items.filter((item) => item !== "");
}
