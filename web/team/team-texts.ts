import { language } from "../texts/texts.ts";

/** What the page says in a vault of a team, in the language of the browser. Only loaded there. */
export const teamTexts =
  language === "fr"
    ? (await import("../../src/texts/page/french-team.ts")).frenchTeam
    : (await import("../../src/texts/page/english-team.ts")).englishTeam;
