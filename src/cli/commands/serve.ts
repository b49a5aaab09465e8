import { nonEmpty } from "../../config.ts";
import { chosenPolicy, FRONTMATTER_POLICIES } from "../../vault/frontmatter-policy.ts";
import { openInBrowser, stopSignal } from "../system/process.ts";
import { arg, defineCommand, UsageError, type CommandContext } from "../table/command.ts";
import { indexingProgress } from "../output/indexing-progress.ts";
import { linkText } from "../output/status-text.ts";
import { writingText } from "../output/writing-progress.ts";
import { ownVault, type OwnedVault } from "../vault/own-vault.ts";
import { placeOf } from "../vault/place.ts";
import { keepYoungMemorySmall } from "../system/young-memory.ts";
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
    database: arg.text(
      "URL",
      "Serve all vaults of a PostgreSQL, as one of several replicas: postgres://… (else $COFFRE_DATABASE)",
    ),
    "public-url": arg.text(
      "URL",
      "With --database: where browsers reach it through a proxy (else $COFFRE_PUBLIC_URL)",
    ),
    drain: arg.number(
      "SECONDS",
      "With --database: how long it says that it is not ready before it stops; 0",
    ),
    frontmatter: arg.text(
      "WHO",
      "Which notes get created, updated and tokens: all, own (those coffre makes), or none",
      { choices: FRONTMATTER_POLICIES },
    ),
  },
  details:
    "Runs until Ctrl-C or SIGTERM; meanwhile other commands ask it by themselves. Prints a link that lets one browser in; coffre open makes more. Scripts send the token as Authorization: Bearer T. On another --host than this machine's own, traffic is not encrypted: put a proxy with TLS before it.",
  examples: [
    "coffre serve",
    "coffre serve --vault ~/notes --open",
    "coffre serve --database postgres://coffre@db.example.com/coffre --port 8080",
  ],
  synonyms: ["start", "run", "server", "daemon"],
  run: async (input, context) => {
    const at = { host: checkedHost(input.text("host")), port: checkedPort(input.number("port")) };
    const token = input.text("token") ?? nonEmpty(context.environment["COFFRE_TOKEN"]);
    const { environment } = context;
    const named = input.text("database");
    const { vault } = context.named;
    if (named !== undefined && vault !== undefined)
      throw new UsageError(
        `--database serves all vaults of a database, and --vault ${vault} one folder: give one of them.`,
      );
    const url = named ?? nonEmpty(environment["COFFRE_DATABASE"]);
    if (url !== undefined && vault === undefined) {
      const { serveTeam } = await import("../vault/serve-team.ts");
      const publicUrl = input.text("public-url") ?? nonEmpty(environment["COFFRE_PUBLIC_URL"]);
      await serveTeam({ url, at, token, publicUrl, drain: input.number("drain") }, context);
      return;
    }
    const place = placeOf(context);
    keepYoungMemorySmall();
    const own = async (): Promise<OwnedVault | null> =>
      ownVault(place, context, {
        page: { at, token },
        frontmatter: chosenPolicy(input.text("frontmatter")),
      });
    const owned =
      (await own()) ??
      (await takeOver(place, own, {
        // Forever: a service that the system starts must not fail because another program is slow.
        timeout: Number.POSITIVE_INFINITY,
        onWaiting: (message) => context.screen.warn(message),
      }));
    try {
      await serveAs(owned, input.flag("open"), context);
    } finally {
      await owned.close();
    }
  },
});

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
  const lines = [`Serving ${root} (pid ${pid}). Stop it with Ctrl-C.`];
  if (found !== undefined) lines.push(`The page is at ${found.address}.`);
  if (found !== undefined && !isOpened) lines.push(linkText(found.link));
  const inForce = settingText(service.frontmatter);
  if (inForce !== null) lines.push(inForce);
  screen.show({ vault: root, state, pid, endpoint, ...found }, () => lines.join("\n"));
  const stopProgress = service.onIndexing(indexingProgress(screen));
  const stopWriting = service.frontmatter.onWriting((progress) => {
    // Until then, the line says how much is indexed.
    if (service.unindexed > 0) return;
    screen.progress(progress === null ? null : writingText(progress.done, progress.total));
  });
  await stopped;
  stopProgress();
  stopWriting();
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

/** What is in force for notes that were there before; null where there were none. */
function settingText({
  policy,
  isChosen,
  adoption,
}: Pick<OwnedVault["service"]["frontmatter"], "adoption" | "policy" | "isChosen">): string | null {
  switch (policy) {
    case "all":
      if (adoption === null) return null;
      return adoption.isDone
        ? "All notes get frontmatter. To change that: coffre adopt."
        : `All notes get frontmatter, those that were there before too. To take that back: coffre undo ${adoption.id}`;
    case "own":
      return isChosen
        ? "Only notes that coffre makes get frontmatter. To change that: coffre adopt."
        : "Your notes stay as they are: only notes that coffre makes get frontmatter. To choose: coffre adopt.";
    case "none":
      return "No note gets frontmatter. To change that: coffre adopt.";
  }
}
