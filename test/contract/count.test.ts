import { expect, it } from "vitest";

import { CONCAT } from "./concat.ts";
import { AFTER_A_WRITE, TOOLS } from "./overview.ts";
import { READ } from "./read.ts";
import { RECALL } from "./recall.ts";

/** What the source documents say and no test can find out. */
const CANNOT_BE_CHECKED = [
  "each tool does one thing",
  "what belongs where is the agent's decision and no tool's",
  "a model looks at an image with its own eyes; only the bytes it is given are checked",
  "the job notes the paths it is writing in a set; ours goes by signatures, and only the quiet is checked",
];

it("each statement is named once, and their number is printed", () => {
  const checked = [...READ, ...CONCAT, ...RECALL, ...TOOLS, ...AFTER_A_WRITE];
  const bySource = {
    read: READ.length,
    concat: CONCAT.length + RECALL.length,
    overview: TOOLS.length + AFTER_A_WRITE.length,
  };
  const parts = Object.entries(bySource).map(([source, count]) => `${source} ${count}`);
  const total = checked.length + CANNOT_BE_CHECKED.length;
  console.log(
    [
      `${total} statements of the source documents: ${checked.length} checked (${parts.join(", ")}), ${CANNOT_BE_CHECKED.length} cannot be checked:`,
      ...CANNOT_BE_CHECKED.map((each) => `- ${each}`),
    ].join("\n"),
  );
  for (const table of [READ, [...CONCAT, ...RECALL], [...TOOLS, ...AFTER_A_WRITE]]) {
    const names = table.map(({ states }) => states);
    expect(names).toEqual([...new Set(names)]);
  }
});
