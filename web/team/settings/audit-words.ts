import type { TeamTexts } from "../../../src/texts/page/english-team.ts";

type Words = TeamTexts["log"]["calls"];

/** `NAME (ID)`, or the id alone as rows of before have it. */
const WHOM = / \([0-9a-f]{16}\)$/u;

/** A call in words of the page's language; null for one that stands as it is named: a tool, an address. */
export function auditWords(
  call: string,
  words: Words,
  roleOf: (role: string) => string,
): string | null {
  const fixed: Readonly<Record<string, string>> = words.fixed;
  if (Object.hasOwn(fixed, call)) return fixed[call] ?? null;
  const [, role, given] = /^granted (\w+) to (.+)$/su.exec(call) ?? [];
  if (role !== undefined && given !== undefined) {
    const whom = given.replace(WHOM, "");
    return role === "nothing" ? words.ungranted(whom) : words.granted(roleOf(role), whom);
  }
  for (const [begins, say] of words.about) {
    if (!call.startsWith(`${begins} `)) continue;
    return say(call.slice(begins.length + 1).replace(WHOM, ""));
  }
  return null;
}
