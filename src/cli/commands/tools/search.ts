import { blockColours } from "../../output/colours.ts";
import { arg, defineCommand, UsageError } from "../../table/command.ts";
import { runTool } from "../../vault/tool-result.ts";

export const search = defineCommand({
  name: "search",
  summary: "Find sections of files",
  positionals: {
    queries: arg.any(
      "QUERY",
      'Words, "an exact phrase" in quotes of its own, -excluded; several wordings of one question. None with dates: what happened',
    ),
  },
  options: {
    mode: arg.text("MODE", "By words, or slower by meaning", { choices: ["fast", "deep"] }),
    scope: arg.list("GLOB", "Only these paths; may be repeated", { completes: "vault-path" }),
    from: arg.text("DATE", 'Not before: 2026-01-31, or "3 weeks ago"'),
    to: arg.text("DATE", "Not after"),
    limit: arg.number("N", "At most N results; else what fits into about 1,500 tokens"),
  },
  examples: [
    'coffre search "who waters the tomatoes"',
    `coffre search "roof quote" "price of the roof" --scope 'projects/*/changelog.md' --from "2 months ago"`,
    'coffre search --from "2 weeks ago" --json',
  ],
  synonyms: ["find", "grep", "query"],
  run: async (input, context) => {
    const scopes = input.list("scope");
    const queries = input.list("queries");
    const [from, to] = [input.text("from"), input.text("to")];
    if (queries.length === 0 && from === undefined && to === undefined) {
      throw new UsageError("QUERY is missing: words, or dates alone to list what happened.");
    }
    const args = {
      queries,
      mode: input.text("mode"),
      scopes: scopes.length === 0 ? undefined : scopes,
      date_from: from,
      date_to: to,
      limit: input.number("limit"),
    };
    return runTool("search", args, context, { need: "search", colouring: blockColours });
  },
});
