import { ExpectedError } from "../../../errors.ts";
import type { VaultClient } from "../../../server/client/vault-client.ts";
import { blockColours } from "../../output/colours.ts";
import { arg, defineCommand } from "../../table/command.ts";
import { withVault } from "../../vault/with-vault.ts";
import { showResult } from "../../vault/tool-result.ts";

export const concat = defineCommand({
  name: "concat",
  summary: "Assemble files and line ranges into one text",
  positionals: {
    files: arg.list(
      "PATH[:LINES]",
      "Files in order, each with the lines to take: notes.md:9-14, or :9 for one",
      { completes: "vault-path" },
    ),
  },
  examples: [
    "coffre concat profile.md projects/garden/state.md:5-20",
    "coffre concat changelog.md:1-12 changelog.md:40",
  ],
  synonyms: ["join"],
  run: async (input, context) =>
    withVault(context, "look", async (vault) => {
      const named = input.list("files");
      const files = await Promise.all(named.map(async (file) => splitRange(file, vault.client)));
      const call = {
        name: "concat",
        args: { files },
        profile: "search",
        isRepeatable: true,
      } as const;
      const result = await vault.client.callTool(call);
      return showResult(result, vault.place, context, { colouring: blockColours });
    }),
});

interface FilePart {
  readonly path: string;
  readonly lines?: string;
}

/** Splits `notes.md:9-14` into file and lines. A file that is really called so is meant as a whole. */
async function splitRange(word: string, client: VaultClient): Promise<FilePart> {
  const [, path, lines] = /^(.+):(\d[\d-]*)$/su.exec(word) ?? [];
  if (path === undefined || lines === undefined || (await exists(word, client))) {
    return { path: word };
  }
  return { path, lines };
}

async function exists(word: string, client: VaultClient): Promise<boolean> {
  try {
    return (await client.entryAt(word)).kind !== "missing";
  } catch (error) {
    if (error instanceof ExpectedError) return false;
    throw error;
  }
}
