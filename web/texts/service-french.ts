import { editFrench } from "../../src/texts/edit-french.ts";
import { codesFrench, errorsFrench } from "../../src/texts/errors-french.ts";
import { noteFrench } from "../../src/texts/note-french.ts";
import { nounsFrench } from "../../src/texts/nouns-french.ts";
import { rareErrorsFrench } from "../../src/texts/rare-errors-french.ts";
import { teamFrench } from "../../src/texts/team-french.ts";
import { createTranslator } from "../../src/texts/translator.ts";

/** What the service says, which is English, in French. */
export const french = createTranslator({
  sentences: {
    ...errorsFrench,
    ...rareErrorsFrench,
    ...editFrench,
    ...noteFrench,
    ...teamFrench,
  },
  nouns: nounsFrench,
  codes: codesFrench,
  or: "ou",
});
