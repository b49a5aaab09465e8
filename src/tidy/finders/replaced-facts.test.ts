import { expect, it } from "vitest";

import { look, titlesOf } from "../testing/look.ts";
import { replacedFacts } from "./replaced-facts.ts";

const old = "# 2026-11-03\n\n## [decision] Polmear does the electrics\nFor £4,280.\n";
const entry = (word: string): string =>
  `# 2026-11-16\n\n## More for the sockets\nNow £4,510.\n${word} [[projects/loft/changelog#decision Polmear does the electrics]] (£4,280)\n\n`;

it.each(["Replaces:", "Remplace :"])(
  "finds pages that still say what %s says is old",
  async (word) => {
    const files = {
      "projects/loft/changelog.md": entry(word) + old,
      "projects/loft/state.md":
        "## Money\n\n| Electrics | £4,280 | Polmear |\n\nIt was £4,280 before.\n\nNow £4,510.\n",
      "projects/other/state.md": "£4,280 for something else.\n",
      "overview.md": "The electrics are £4 280 in all.\n",
    };
    const found = await look(files, replacedFacts.find).find();
    expect(found.map(({ path, line, canBeWorded }) => [path, line, canBeWorded])).toEqual([
      ["overview.md", 1, true],
      ["projects/loft/state.md", 3, true],
    ]);
    expect(found[1]?.title.en).toContain(
      "vault/projects/loft/state.md:3 still says £4,280, which vault/projects/loft/changelog.md:5 has replaced",
    );
  },
);

it.each([
  ["nothing replaced", { "projects/loft/changelog.md": old, "projects/loft/state.md": "£4,280\n" }],
  [
    "a mail that says so",
    { "projects/loft/bucket/m.md": entry("Replaces:"), "projects/loft/state.md": "£4,280\n" },
  ],
  [
    "a passage that is shown as replaced",
    {
      "changelog.md": "# 2026-11-16\n\n## x\nReplaces: [[projects/loft/state#Money]] (£4,280)\n",
      "projects/loft/state.md": "## Money\n\n£4,280\n",
    },
  ],
])("finds nothing with %s", async (_, files) => {
  expect(await titlesOf(files, replacedFacts)).toEqual([]);
});
