import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { isStructural, parsePath, showPath } from "../vault/paths.ts";
import { formatTokens } from "../text/tokens.ts";
import { retryWhenChanged } from "../vault/write/changed-meanwhile.ts";
import { textOutput, writeTool } from "./define.ts";
import { author } from "./write-checks.ts";

const input = z.strictObject({
  path: z.string(),
});

export const remove = writeTool({
  name: "delete",
  title: "Delete",
  description: "Delete a file, or a folder with all under it. The history can bring it back.",
  input,
  profiles: ["update"],
  destructive: true,
  async run({ path: given }, context) {
    const { path, mustBeFolder } = parsePath(given);
    if (isStructural(path)) {
      throw new ExpectedError(
        "protected",
        `${showPath(path)} holds the vault together and cannot be deleted. Edit it instead.`,
      );
    }
    const found = await context.vault.get(path);
    if (mustBeFolder && found.kind !== "folder") {
      throw new ExpectedError(
        "not_a_folder",
        `${showPath(path)} is a file, not a folder; leave out the final slash.`,
      );
    }
    const node = await context.vault.shape(path);
    const tokens = node.kind === "folder" ? node.tokens : node.facts.tokens;
    const files = node.kind === "folder" ? node.files : 1;
    const { id } = await retryWhenChanged(async () =>
      context.vault.change(author(context, "delete"), async ({ writer }) => writer.remove(path)),
    );
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
