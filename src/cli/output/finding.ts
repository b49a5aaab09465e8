import type { Screen } from "./screen.ts";

/** What a check found: nothing, something that it fixed (`mended`, a public name), or something that a person has to fix. */
export interface Finding {
  readonly state: "ok" | "mended" | "problem";
  readonly what: string;
  /** For a problem: what to do. */
  readonly advice?: string | undefined;
}

export const ok = (what: string, advice?: string): Finding => ({ state: "ok", what, advice });
export const problem = (what: string, advice?: string): Finding => ({
  state: "problem",
  what,
  advice,
});

/** Shows what was found, and says whether somebody has to do something. */
export function showFindings(findings: readonly Finding[], screen: Screen): 0 | 1 {
  const translated = findings.map(({ state, what, advice }) => ({
    state,
    what: screen.translate(what),
    advice: advice === undefined ? undefined : screen.translate(advice),
  }));
  screen.show(findings, () => translated.map((each) => findingText(each, screen)).join("\n"));
  return findings.some(({ state }) => state === "problem") ? 1 : 0;
}

function findingText({ state, what, advice }: Finding, { translate }: Screen): string {
  const mark = translate({ ok: "ok", mended: "fixed", problem: "PROBLEM" }[state]);
  return `${mark.padEnd(9)}${what}${advice === undefined ? "" : `\n${" ".repeat(9)}${advice}`}`;
}
