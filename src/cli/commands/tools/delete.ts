import { arg, defineCommand } from "../../table/command.ts";
import { runTool } from "../../vault/tool-result.ts";

export const remove = defineCommand({
  name: "delete",
  summary: "Delete a file, or a folder with all under it",
  positionals: {
    path: arg.one("PATH", "The file or folder", { completes: "vault-path" }),
  },
  details: "The reply gives the id with which coffre undo brings it back.",
  examples: ["coffre delete bucket/old-quote.md", "coffre delete projects/garden/bucket/"],
  synonyms: ["rm", "remove", "del", "rmdir"],
  run: async (input, context) =>
    runTool("delete", { path: input.one("path") }, context, { need: "change" }),
});
