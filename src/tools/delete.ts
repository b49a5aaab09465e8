import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { isStructural, parsePath, refuseFileAsFolder, showPath } from "../vault/paths.ts";
import { formatTokens } from "../text/tokens.ts";
import { textOutput, writeTool } from "./define.ts";
import { changeVault } from "./write-checks.ts";

export const remove = writeTool({
  name: "delete",
  title: "Delete",
  description: "Delete a file, or a folder with all under it.",
  input: z.strictObject({ path: z.string() }),
  profiles: ["update"],
  destructive: true,
  async run({ path: given }, context) {
    const parsed = parsePath(given);
    const { path } = parsed;
    if (isStructural(path) || (await context.vault.isGenerated(path))) {
      throw new ExpectedError(
        "protected",
        `${showPath(path)} is one of the main files of the vault and cannot be deleted. Edit it instead.`,
      );
    }
    refuseFileAsFolder(parsed, (await context.vault.get(path)).kind);
    const node = await context.vault.shape(path);
    const tokens = node.kind === "folder" ? node.tokens : node.facts.tokens;
    const files = node.kind === "folder" ? node.files : 1;
    const { id } = await changeVault(context, "delete", async ({ writer }) => writer.remove(path));
    const shown = showPath(path, node.kind);
    const counted = `${files} ${files === 1 ? "file" : "files"}, ${formatTokens(tokens)} tokens`;
    return textOutput(`Deleted ${shown}: ${counted}. History: ${id}; undo brings it back.`, {
      path: shown,
      files,
      tokens,
      history: id,
    });
  },
});
