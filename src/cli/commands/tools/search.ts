import { blockColours } from "../../output/colours.ts";
import { defineCommand } from "../../table/command.ts";
import { runTool } from "../../output/tool-result.ts";

export const search = defineCommand({
  name: "search",
  summary: "Find sections of files",
  group: "Look",
  positionals: {
    queries: {
      kind: "list",
      label: "QUERY",
      summary:
        'Words, "an exact phrase" in quotes of its own, -excluded; several wordings of one question',
    },
  },
  options: {
    mode: {
      kind: "text",
      label: "MODE",
      summary: "By words, or slower by meaning",
      choices: ["fast", "deep"],
    },
    scope: {
      kind: "list",
      label: "GLOB",
      summary: "Only these paths; may be repeated",
      completes: "vault-path",
    },
    from: { kind: "text", label: "DATE", summary: 'Not before: 2026-01-31, or "3 weeks ago"' },
    to: { kind: "text", label: "DATE", summary: "Not after" },
    limit: { kind: "number", label: "N", summary: "At most N results, 10 when left out" },
  },
  examples: [
    'coffre search "who waters the tomatoes"',
    `coffre search "roof quote" "price of the roof" --scope 'projects/*/changelog.md' --from "2 months ago"`,
    `coffre search '"north wall" -paint' --limit 3 --json`,
  ],
  synonyms: ["find", "grep", "query"],
  run: async (input, context) => {
    const scopes = input.list("scope");
    const args = {
      queries: input.list("queries"),
      mode: input.text("mode"),
      scopes: scopes.length === 0 ? undefined : scopes,
      date_from: input.text("from"),
      date_to: input.text("to"),
      limit: input.number("limit"),
    };
    return runTool("search", args, context, { need: "search", colouring: blockColours });
  },
});
