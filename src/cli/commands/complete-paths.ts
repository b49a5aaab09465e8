import { ExpectedError } from "../../errors.ts";
import { nameKey } from "../../vault/paths.ts";
import { arg, defineCommand } from "../table/command.ts";
import { withVault, type ReachedVault } from "../vault/with-vault.ts";

/** Called by the completion scripts. It prints nothing when something goes wrong: an error would break the line being typed. */
export const completePaths = defineCommand({
  name: "__complete-paths",
  summary: "List the vault's paths that begin so",
  hidden: true,
  positionals: { prefix: arg.text("PREFIX", "What is typed so far") },
  examples: [],
  run: async (input, context) => {
    try {
      const prefix = input.text("prefix") ?? "";
      const paths = await withVault(context, "look", async (vault) => pathsFor(prefix, vault));
      if (paths.length > 0) context.screen.print(paths.join("\n"));
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
    }
  },
});

/** Paths in the form they are typed in: with or without `vault/`. */
async function pathsFor(prefix: string, { client }: ReachedVault): Promise<string[]> {
  const typedFolder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const start = nameKey(prefix.slice(typedFolder.length));
  const { entries } = await client.entryAt(typedFolder);
  const names = entries
    .filter(({ name }) => name.startsWith(start))
    .map(({ name, kind }) => typedFolder + name + (kind === "folder" ? "/" : ""));
  const isRootName = typedFolder === "" && start !== "" && "vault".startsWith(start);
  return isRootName ? [...names, "vault/"] : names;
}
