import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

import { emptyJournal, LARGE } from "../../src/testing/chaos/chaos-text.ts";

/** Where the vault of a run is, and all that belongs to it. */
export interface Home {
  readonly folder: string;
  readonly root: string;
  readonly state: string;
  readonly logs: string;
}

const SMALL = { lines: 0, width: 0 };
const BOM = "\uFEFF";

/** The journals that everybody adds to, as they begin. */
export const JOURNALS: Readonly<Record<string, string>> = {
  "partagé/un.md": emptyJournal(SMALL),
  "partagé/deux.md": emptyJournal(SMALL).replaceAll("\n", "\r\n"),
  "partagé/trois.md": BOM + emptyJournal(SMALL),
  "partagé/gros.md": emptyJournal(LARGE),
};

/** Its frontmatter cannot be read, so nothing but this is wrong with it. */
export const BROKEN = "calme/cassé.md";

/** Files that nobody touches, in all the forms that files come in. */
const STILL: Readonly<Record<string, string>> = {
  "overview.md": "# Vue\n\nLa situation.\n",
  "inbox/2025-01-02-facture/review.md": "# Facture\n\nUne question.\n",
  "calme/simple.md": "# Simple\n\nLa pompe.\n",
  "calme/clés.md": "---\ntags: [a, b] # à moi\n\"titre\": 'Été'\n---\n\n\nLa cave.\n",
  "calme/crlf.md": "---\r\nclé: valeur\r\n---\r\n\r\n# Titre\r\n\r\nLe toit.\r\n",
  "calme/bom.md": `${BOM}# Marque\n\nLe four.\n`,
  "calme/sans fin.md": "# Sans fin\n\nLa dernière ligne",
  "calme/vide.md": "",
  [BROKEN]: "---\nclé: [ouverte\n---\n\nLa turbine.\n",
  "calme/grand.txt": `# Grand\n\n${`${"·".repeat(900)}\n`.repeat(700)}`,
  // As a Mac writes names: letters, then their accents.
  ["calme/dossier d'été/relevé.txt".normalize("NFD")]: "du texte\n",
  "calme/image.png": "pas une image",
};

/** Files that are only ever given another time. */
export const TOUCHED: Readonly<Record<string, string>> = {
  "touche/a.md": "# A\n\nLe jardin.\n",
  "touche/b.md": "---\nstatut: ouvert\n---\n# B\n",
  "touche/c.txt": "du texte\n",
};

export function isStill(name: string): boolean {
  return name in STILL;
}

/** A new vault in a new folder under `parent`. */
export function makeHome(parent: string): Home {
  const folder = mkdtempSync(path.join(parent, "coffre-chaos-"));
  const [root, logs] = [path.join(folder, "notes"), path.join(folder, "logs")];
  for (const each of [root, logs]) mkdirSync(each);
  const old = new Date(2024, 1, 2, 3, 4, 5);
  for (const [name, text] of Object.entries({ ...STILL, ...TOUCHED, ...JOURNALS })) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, old, old);
  }
  return { folder, root, state: path.join(folder, "state"), logs };
}
