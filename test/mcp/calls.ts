import type { Files } from "../../src/testing/temporary-vault.ts";
import { demoImage } from "../../src/testing/demo-image.ts";
import type { Call } from "./call.ts";
import { CHANGING } from "./changing-calls.ts";
import { LOOKING } from "./looking-calls.ts";

/** The vault on which they are made. */
export const FILES: Files = {
  "overview.md": "# Overview\n\nA house by the sea\n",
  "tasks.md": "# Tasks\n\n- [ ] Call the roofer\n- [ ] Mend the pump\n",
  "changelog.md": "# 2026-03-14\n\nThe kiln came.\n\n# 2026-03-01\n\nThe quote for the kiln.\n",
  "projects/voilerie/state.md":
    "---\nstatus: en-cours\n---\n\n# Voilerie\n\n## Focus\n\nLe four à céramique\n\n```\n# no heading\n```\n\n## Suite\n\nLe toit\n\nLe toit\n",
  "projects/voilerie/plan.png": demoImage(),
  "projects/voilerie/broken.png": "no image",
  ["projects/jardin/été.md".normalize("NFD")]: "\uFEFF# Jardin\r\n\r\nLes tomates\r\n",
  "bucket/long.md": `# Long\n\n${Array.from({ length: 120 }, (_, at) => `Line ${at + 1} of a measure of the turbine`).join("\n")}\n`,
  "bucket/wide.md": `${"wide ".repeat(200)}\n`,
  "bucket/data.bin": Uint8Array.of(0, 1, 2, 255),
  "bucket/quote.md": "# Quote\n\nThe roof: 4,200\n",
  "bucket/unread.md": "# Unread\n\nAs it was\n",
  "bucket/replaced.md": "---\nkind: mail\n---\n\nBefore\n",
  "bucket/edited.md": "# Edited\n\none\n\ntwo\n\none\n\nthree\n",
  "bucket/moved.md": "# Moved\n\nElsewhere\n",
  "bucket/notes/a.md": "# A\n\nThe first\n",
  "bucket/notes/b.md": "# B\n\nThe second\n",
  "bucket/gone/c.md": "# C\n\nThe third\n",
  "bucket/gone/d/d.md": "# D\n\nThe fourth\n",
};

/** In order: later ones rely on what earlier ones read. */
export const CALLS: readonly Call[] = [...LOOKING, ...CHANGING];
