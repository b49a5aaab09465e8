import { codesFrench, errorsFrench } from "../../src/texts/errors-french.ts";
import { nounsFrench } from "../../src/texts/nouns-french.ts";
import { rareErrorsFrench } from "../../src/texts/rare-errors-french.ts";
import { createTranslator } from "../../src/texts/translator.ts";

/** What the service says, which is English, in French. */
export const french = createTranslator({
  sentences: { ...errorsFrench, ...rareErrorsFrench },
  nouns: nounsFrench,
  codes: codesFrench,
  or: "ou",
});
