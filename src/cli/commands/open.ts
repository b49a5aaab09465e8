import { ExpectedError } from "../../errors.ts";
import { openInBrowser } from "../system/process.ts";
import { defineCommand, type ExitCode } from "../table/command.ts";
import { linkText } from "../output/status-text.ts";
import { withVault } from "../vault/with-vault.ts";

export const open = defineCommand({
  name: "open",
  summary: "Open the running service's page in the browser",
  details:
    "Asks the service for a link that lets one browser in, once. Prints it when no browser can be opened here.",
  examples: ["coffre open", "coffre open --json"],
  synonyms: ["browse", "web", "ui", "page"],
  run: async (_, context) =>
    withVault(context, "look", async ({ client, owner, place }): Promise<ExitCode> => {
      if (owner === null) {
        throw new ExpectedError(
          "unavailable",
          `No service of the vault ${place.root} is running. Start one with: coffre serve --open`,
        );
      }
      const { screen } = context;
      const { address, link } = await client.newLink();
      const opened = await openInBrowser(link);
      screen.show({ address, link, opened }, () =>
        opened
          ? `Opened ${address} in the browser.`
          : `No browser could be opened here. ${linkText(link)}`,
      );
      return 0;
    }),
});
