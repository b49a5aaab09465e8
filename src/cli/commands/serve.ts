import { existsSync } from "node:fs";

import { explicitToken, languageOf, vaultFolder } from "../../config.ts";
import { openInBrowser, stopSignal } from "../system/process.ts";
import { arg, defineCommand, UsageError, type CommandContext } from "../table/command.ts";
import { linkText } from "../output/status-text.ts";
import { ownVault, type OwnedVault } from "../vault/own-vault.ts";
import { placeIn, placeOf, type Place } from "../vault/place.ts";
import { withVault } from "../vault/with-vault.ts";
import { takeOver } from "../vault/take-over.ts";

const HOST = "127.0.0.1";
const PORT = 4117;

export const serve = defineCommand({
  name: "serve",
  summary: "Keep the vault in order, and answer other programs",
  options: {
    port: arg.number("N", `Where browsers and HTTP reach it: ${PORT}; 0 picks one`),
    host: arg.text("HOST", `The address to listen on: ${HOST}, this machine only`),
    token: arg.text(
      "T",
      "What HTTP callers must show (else $COFFRE_TOKEN, else one kept in the state folder)",
    ),
    open: arg.flag("Open the page in the browser"),
  },
  details:
    "Makes the vault when it is missing. Runs until Ctrl-C or SIGTERM; meanwhile other commands ask it by themselves. Prints a link that lets one browser in; coffre open makes more. Scripts send the token as Authorization: Bearer T. On another --host than this machine's own, traffic is not encrypted: put a proxy with TLS before it.",
  examples: ["coffre serve", "coffre serve --vault ~/notes --open", "coffre serve --port 8080"],
  synonyms: ["start", "run", "server", "daemon"],
  run: async (input, context) => {
    const at = { host: checkedHost(input.text("host")), port: checkedPort(input.number("port")) };
    const token = explicitToken(input.text("token"), context.environment);
    const place = await readyVault(context);
    const own = async (): Promise<OwnedVault | null> =>
      ownVault(place, context, { page: { at, token } });
    const owned = (await own()) ?? (await takeOver(place, own));
    try {
      await serveAs(owned, input.flag("open"), context);
    } finally {
      await owned.close();
    }
    return 0;
  },
});

/** The vault's folders. One that does not exist is made, as `init` makes it. */
async function readyVault(context: CommandContext): Promise<Place> {
  const { environment, named } = context;
  const folder = vaultFolder(named.vault, environment);
  if (existsSync(folder)) return placeOf(context);
  const { makeVaultFolder } = await import("../../vault/init.ts");
  makeVaultFolder(folder);
  const place = placeIn(folder, context);
  const lang = languageOf(environment);
  await withVault(context, "change", async ({ client }) => client.init({ lang, demo: false }));
  return place;
}

/** Serves until a signal says to stop. */
async function serveAs(
  { endpoint, page, service }: OwnedVault,
  isOpening: boolean,
  { screen }: CommandContext,
): Promise<void> {
  const stopped = stopSignal();
  const { pid } = process;
  const { root, state } = service.vault;
  const found = page?.newLink();
  const isOpened = isOpening && found !== undefined && (await openInBrowser(found.link));
  if (screen.json) screen.printJson({ vault: root, state, pid, endpoint, ...found });
  else {
    const lines = [`Serving ${root} (pid ${pid}). Stop it with Ctrl-C.`];
    if (found !== undefined) lines.push(`The page is at ${found.address}.`);
    if (found !== undefined && !isOpened) lines.push(linkText(found.link));
    screen.print(lines.join("\n"));
  }
  await stopped;
}

function checkedPort(port = PORT): number {
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError(`--port takes a number from 0 to 65535, not ${port}.`);
}

/** An empty host would mean all addresses of this machine, which must be asked for. */
function checkedHost(host = HOST): string {
  if (host !== "") return host;
  throw new UsageError(`--host takes a name or an address of this machine, ${HOST} for example.`);
}
