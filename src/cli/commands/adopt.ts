import type { AdoptedAnswer, AdoptionAnswer } from "../../server/api/contract.ts";
import {
  chosenPolicy,
  FRONTMATTER_POLICIES,
  type FrontmatterPolicy,
} from "../../vault/frontmatter-policy.ts";
import { writingText } from "../output/writing-progress.ts";
import { arg, defineCommand } from "../table/command.ts";
import { withVault } from "../vault/with-vault.ts";

export const adopt = defineCommand({
  name: "adopt",
  summary: "Choose what coffre may write into notes that were there before",
  options: {
    frontmatter: arg.text(
      "WHO",
      "Which notes get created, updated and tokens: all, own (those coffre makes), or none",
      { choices: FRONTMATTER_POLICIES },
    ),
    "dry-run": arg.flag("Only show what there is, and what each choice would change"),
    "forget-old": arg.flag(
      "Let go of the old bytes of adoptions, which are else kept however old they become",
    ),
  },
  details:
    "Without a choice, shows what there is. A choice is stored, and done at once as one change of the history: coffre undo takes all of it back, except files that changed since.",
  examples: ["coffre adopt", "coffre adopt --frontmatter own", "coffre adopt --frontmatter all"],
  synonyms: ["frontmatter"],
  run: async (input, context) => {
    const { screen } = context;
    const choice = chosenPolicy(input.text("frontmatter"));
    return withVault(context, "long", async ({ client }) => {
      if (input.flag("forget-old")) {
        const { forgotten } = await client.forgetOld();
        screen.show({ forgotten }, () =>
          forgotten === 0
            ? "No old bytes of an adoption are kept."
            : "The old bytes of adoptions are now forgotten like those of any other change.",
        );
        return;
      }
      if (choice === undefined || input.flag("dry-run")) {
        const found = await client.adoption();
        screen.show(found, () => previewText(found, choice));
        return;
      }
      try {
        const done = await client.adopt(choice, (at, total) =>
          screen.progress(writingText(at, total)),
        );
        screen.progress(null);
        screen.show(done, () => adoptedText(done));
      } finally {
        screen.progress(null);
      }
    });
  },
});

const MEANINGS: Readonly<Record<FrontmatterPolicy, string>> = {
  all: "every note gets created, updated and tokens",
  own: "only notes that coffre makes get them",
  none: "no note gets them",
};

function previewText(found: AdoptionAnswer, choice: FrontmatterPolicy | undefined): string {
  const { setting, chosen, notes, stamped, own_keys: own, toml, json, invalid } = found;
  const counts: readonly (readonly [number, string])[] = [
    [stamped, "with frontmatter of coffre's"],
    [own, "with a created, updated or tokens of your own, which stay as written"],
    [toml + json, "with TOML or JSON front matter, left alone"],
    [found.read_only, "read-only, left alone"],
    [invalid, "with frontmatter that is not valid YAML, left alone"],
  ];
  const shown = choice === undefined ? FRONTMATTER_POLICIES : [choice];
  const examples = choice === undefined || choice === "all" ? found.examples : [];
  return [
    `${notes} notes. In force: ${setting}${chosen ? "" : " (by default)"}.`,
    ...counts.filter(([count]) => count > 0).map(([count, what]) => `  ${count} ${what}`),
    "",
    ...shown.map((each) => `${each.padEnd(5)} ${MEANINGS[each]}: ${changesText(found, each)}`),
    ...examples.flatMap(({ diff }) => (diff === null ? [] : ["", diff.trimEnd()])),
    "",
    `Choose with: coffre adopt --frontmatter ${choice ?? "all|own|none"}`,
  ].join("\n");
}

function changesText({ choices }: AdoptionAnswer, choice: FrontmatterPolicy): string {
  const { changed, removed } = choices[choice];
  const parts = [
    ...(changed > 0 ? [`${changed} ${changed === 1 ? "note changes" : "notes change"}`] : []),
    // Our listing is all that a choice can take away.
    ...(removed.length > 0 ? ["vault/tree.md is taken away"] : []),
  ];
  return parts.length === 0 ? "nothing changes now" : parts.join(", ");
}

function adoptedText({ setting, before, history, files }: AdoptedAnswer): string {
  const did = `${setting}: ${MEANINGS[setting]}${setting === before ? "" : ` (was ${before})`}.`;
  if (history === null) return `${did} No file had to be changed.`;
  const counted = files === 1 ? "1 file was changed" : `${files} files were changed`;
  return `${did} ${counted}. To take it back: coffre undo ${history}`;
}
