import { adoptFrench } from "./adopt-french.ts";
import { backupFrench } from "./backup-french.ts";
import { commandsFrench } from "./commands-french.ts";
import { connectFrench } from "./connect-french.ts";
import { doctorFrench } from "./doctor-french.ts";
import { forgetFrench } from "./forget-french.ts";
import { editFrench } from "./edit-french.ts";
import { evidenceFrench } from "./evidence-french.ts";
import { codesFrench, errorsFrench } from "./errors-french.ts";
import { faultsFrench } from "./faults-french.ts";
import { noteFrench } from "./note-french.ts";
import { nounsFrench } from "./nouns-french.ts";
import { rareErrorsFrench } from "./rare-errors-french.ts";
import { repliesFrench, usageFrench } from "./replies-french.ts";
import { teamFrench } from "./team-french.ts";
import { tidyFrench } from "./tidy-french.ts";
import { createTranslator } from "./translator.ts";

/** All that the command line says. */
export const frenchSentences: Readonly<Record<string, string>> = {
  ...commandsFrench,
  ...adoptFrench,
  ...backupFrench,
  ...connectFrench,
  ...forgetFrench,
  ...repliesFrench,
  ...usageFrench,
  ...errorsFrench,
  ...rareErrorsFrench,
  ...faultsFrench,
  ...editFrench,
  ...noteFrench,
  ...evidenceFrench,
  ...tidyFrench,
  ...teamFrench,
  ...doctorFrench,
};

/** For a person who reads French in a terminal. */
export const french = createTranslator({
  sentences: frenchSentences,
  nouns: nounsFrench,
  codes: codesFrench,
  or: "ou",
});
