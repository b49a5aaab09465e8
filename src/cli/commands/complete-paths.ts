import { ExpectedError } from "../../errors.ts";
import { nameKey, parsePath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { defineCommand, type ExitCode } from "../table/command.ts";
import { withVault } from "../vault/open-vault.ts";

/** What the completion scripts call. Whatever goes wrong, it prints nothing: nobody wants an error for pressing Tab. */
export const completePaths = defineCommand({
  name: "__complete-paths",
  summary: "List the vault's paths that begin so",
  group: "Help",
  hidden: true,
  positionals: { prefix: { kind: "text", label: "PREFIX", summary: "What is typed so far" } },
  options: {},
  examples: [],
  run: async (input, context) => {
    try {
      return await withVault(context, async (vault): Promise<ExitCode> => {
        const paths = await pathsFor(input.text("prefix") ?? "", vault);
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
async function pathsFor(prefix: string, vault: VaultReader): Promise<string[]> {
  const typedFolder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const start = nameKey(prefix.slice(typedFolder.length));
  const { path } = parsePath(typedFolder);
  // Not `list` at once: for a folder that is missing it would go through the vault for near names.
  if ((await vault.find(path)).kind !== "folder") return [];
  const names = (await vault.list(path))
    .filter(({ name }) => name.startsWith(start))
    .map(({ name, kind }) => typedFolder + name + (kind === "folder" ? "/" : ""));
  const isRootName = typedFolder === "" && start !== "" && "vault".startsWith(start);
  return isRootName ? [...names, "vault/"] : names;
}
