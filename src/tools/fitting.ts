import { charactersFor } from "../text/tokens.ts";

/** How many of the texts, from the first on, have no more tokens than these together; one at least. */
export function countFitting(texts: readonly string[], tokens: number): number {
  let room = charactersFor(tokens);
  const tooMany = texts.findIndex((text) => (room -= text.length + 1) < 0);
  return tooMany < 0 ? texts.length : Math.max(1, tooMany);
}
