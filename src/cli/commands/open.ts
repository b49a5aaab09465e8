import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

import { statesFolder, type Environment } from "../../config.ts";
import { ExpectedError } from "../../errors.ts";
import { isOwnerPublished } from "../../jobs/owner/owner-file.ts";
import type { VaultClient } from "../../server/client/vault-client.ts";
import { openInBrowser } from "../system/process.ts";
import { defineCommand, type CommandContext } from "../table/command.ts";
import { linkText } from "../output/status-text.ts";
import { withVault } from "../vault/with-vault.ts";

export const open = defineCommand({
  name: "open",
  summary: "Open the running service's page in the browser",
  details:
    "Asks the service for a link that lets one browser in, once. Prints it when no browser can be opened here.",
  examples: ["coffre open", "coffre open --json"],
  synonyms: ["browse", "web", "ui", "page"],
  run: async (_, context) => {
    const { screen } = context;
    const { address, link } = await newLink(context);
    const opened = await openInBrowser(link);
    screen.show({ address, link, opened }, () =>
      opened
        ? `Opened ${address} in the browser.`
        : `No browser could be opened here. ${linkText(link)}`,
    );
  },
});

type Link = Awaited<ReturnType<VaultClient["newLink"]>>;

/** A link of the vault's service. When no vault is named and the usual one has none, of the only service that runs. */
async function newLink(context: CommandContext): Promise<Link> {
  const { environment, named } = context;
  try {
    return await withVault(context, "look", async ({ client, owner, place }) => {
      if (owner !== null) return client.newLink();
      throw new ExpectedError(
        "unavailable",
        `No service of the vault ${place.root} is running. Start one with: coffre serve --open`,
      );
    });
  } catch (error) {
    const isNamed = [named.vault, named.state, environment["COFFRE_VAULT"]].some(Boolean);
    if (!(error instanceof ExpectedError) || isNamed) throw error;
    const [only, ...others] = await statesWithPage(environment);
    if (only === undefined || others.length > 0) throw error;
    return linkOfOwner(only, error);
  }
}

/** The state folders, among those where states usually are, whose service has a page. */
async function statesWithPage(environment: Environment): Promise<string[]> {
  const { findOwner } = await import("../../jobs/owner/owner-lock.ts");
  const folder = statesFolder(environment);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((state) => isOwnerPublished(state) && findOwner(state)?.address !== undefined);
}

/** @param error thrown when the owner does not answer */
async function linkOfOwner(state: string, error: ExpectedError): Promise<Link> {
  const { connectOwner } = await import("../../server/client/socket-transport.ts");
  const { VaultClient } = await import("../../server/client/vault-client.ts");
  const transport = await connectOwner(state);
  if (transport === null) throw error;
  try {
    return await new VaultClient(transport).newLink();
  } finally {
    transport.close();
  }
}
