import { expect, it } from "vitest";

import { englishTeam } from "../../../src/texts/page/english-team.ts";
import { frenchTeam } from "../../../src/texts/page/french-team.ts";
import { auditWords } from "./audit-words.ts";

const ID = "3f2a000000000000";

function inFrench(call: string): string | null {
  const roles: Readonly<Record<string, string>> = frenchTeam.roles;
  return auditWords(call, frenchTeam.log.calls, (role) => roles[role] ?? role);
}

it("says in the page's language what was done with rights and logins, with the name and not the id", () => {
  expect(inFrench(`granted viewer to Bo (${ID})`)).toBe("a donné à Bo le rôle : lecture");
  expect(inFrench(`granted nothing to Bo (the tall) (${ID})`)).toBe(
    "a repris un rôle à Bo (the tall)",
  );
  expect(inFrench(`removed Bo (${ID})`)).toBe("a retiré Bo du coffre");
  expect(inFrench(`token made for Bo (${ID})`)).toBe("a créé un jeton pour Bo");
  expect(inFrench("token made")).toBe("a créé un jeton");
  expect(inFrench("logged out everywhere")).toBe("s’est déconnecté partout");
  // Rows of before names were kept have the id alone.
  expect(inFrench(`removed ${ID}`)).toBe(`a retiré ${ID} du coffre`);
});

it("leaves tools and addresses as they are named, and has the same words in both languages", () => {
  for (const call of ["edit", "GET /api/tree", "toString", "removed"])
    expect(inFrench(call)).toBeNull();
  const of = (texts: typeof englishTeam): readonly string[] => [
    ...Object.keys(texts.log.calls.fixed),
    ...texts.log.calls.about.map(([begins]) => begins),
  ];
  expect(of(frenchTeam)).toEqual(of(englishTeam));
});
