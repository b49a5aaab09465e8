/** `node scripts/foreign-vault.ts FOLDER [NOTES] [SEED]`: fills a folder as other programs would have, committed to git. */
import { mkdirSync } from "node:fs";

import { makeForeignVault } from "../test/foreign/foreign-vault.ts";

const [folder, notes = "500", seed = "1"] = process.argv.slice(2);
if (folder === undefined) throw new Error("Which folder?");
mkdirSync(folder, { recursive: true });
makeForeignVault(folder, { notes: Number(notes), seed: Number(seed) });
