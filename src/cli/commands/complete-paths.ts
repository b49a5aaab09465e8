import { ExpectedError } from "../../errors.ts";
import type { VaultClient } from "../../server/client/vault-client.ts";
import { nameKey } from "../../vault/paths.ts";
import { arg, defineCommand, type ExitCode } from "../table/command.ts";
import { withVault } from "../vault/with-vault.ts";

/** Called by the completion scripts. It prints nothing when something goes wrong: an error would break the line being typed. */
export const completePaths = defineCommand({
  name: "__complete-paths",
  summary: "List the vault's paths that begin so",
  hidden: true,
  positionals: { prefix: arg.text("PREFIX", "What is typed so far") },
  examples: [],
  run: async (input, context) => {
    try {
      return await withVault(context, "look", async ({ client }): Promise<ExitCode> => {
        const paths = await pathsFor(input.text("prefix") ?? "", client);
        if (paths.length > 0) context.screen.print(paths.join("\n"));
        return 0;
      });
    } catch (error) {
      if (error instanceof ExpectedError) return 0;
      throw error;
    }
  },
});

/** Paths in the form they are typed in: with or without `vault/`. */
async function pathsFor(prefix: string, client: VaultClient): Promise<string[]> {
  const typedFolder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const start = nameKey(prefix.slice(typedFolder.length));
  const { entries } = await client.entryAt(typedFolder);
  const names = entries
    .filter(({ name }) => name.startsWith(start))
    .map(({ name, kind }) => typedFolder + name + (kind === "folder" ? "/" : ""));
  const isRootName = typedFolder === "" && start !== "" && "vault".startsWith(start);
  return isRootName ? [...names, "vault/"] : names;
}
