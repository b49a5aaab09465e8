import { statusText, type StatusFacts } from "../output/status-text.ts";
import { defineCommand } from "../table/command.ts";
import { withVault, type ReachedVault } from "../vault/with-vault.ts";
import { packageVersion } from "../system/process.ts";

export const status = defineCommand({
  name: "status",
  summary: "Show which vault is used, how large it is, and whether a service runs",
  examples: ["coffre status", "coffre status --vault ~/notes --json"],
  synonyms: ["info", "stat"],
  run: async (_, context) =>
    withVault(context, "search", async (vault) => {
      const facts: StatusFacts = {
        version: packageVersion(),
        ...(await vault.client.vault()),
        ...(await serviceFacts(vault)),
      };
      context.screen.show(facts, () => statusText(facts, context.screen.translate));
    }),
});

async function serviceFacts({
  client,
  owner,
}: ReachedVault): Promise<
  Pick<StatusFacts, "index" | "ignored" | "frontmatter" | "left" | "spent" | "service">
> {
  const { vault: _, index, ignored, frontmatter, spent, ...facts } = await client.status();
  const { left } = facts;
  const named = left.length === 0 ? {} : { left };
  if (owner === null) return { index, ignored, frontmatter, ...named, spent, service: null };
  const { pid, started, address = null } = owner;
  return { index, ignored, frontmatter, spent, service: { pid, started, address, ...facts } };
}
