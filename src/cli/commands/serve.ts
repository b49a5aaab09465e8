import { existsSync, realpathSync } from "node:fs";
import { inspect } from "node:util";

import { languageOf, vaultFolder } from "../../config.ts";
import type { OwnerInfo, Ownership } from "../../jobs/owner-lock.ts";
import { ExpectedError } from "../../vault/errors.ts";
import type { Vault } from "../../vault/vault.ts";
import { defineCommand, type CommandContext } from "../command.ts";
import { withVault, withVaultIn } from "../open-vault.ts";
import { packageVersion } from "../version.ts";

type Place = Pick<Vault, "root" | "state">;

export const serve = defineCommand({
  name: "serve",
  summary: "Keep the vault in order, and answer other programs",
  group: "Vault",
  positionals: {},
  options: {},
  details:
    "Makes the vault when it is missing. Runs until Ctrl-C or SIGTERM; meanwhile other commands ask it by themselves.",
  examples: ["coffre serve", "coffre serve --vault ~/notes"],
  synonyms: ["start", "run", "server", "daemon"],
  run: async (_, context) => {
    const place = await readyVault(context);
    const { acquireOwnership, findOwner } = await import("../../jobs/owner-lock.ts");
    const ownership = acquireOwnership(place.state);
    if (ownership === null) throw alreadyServed(place, findOwner(place.state));
    try {
      await serveAs(ownership, place, context);
    } finally {
      ownership.release();
    }
    return 0;
  },
});

/** The vault's folders. One that does not exist is made, as `init` makes it. */
async function readyVault(context: CommandContext): Promise<Place> {
  const { environment, named, now } = context;
  const folder = vaultFolder(named.vault, environment);
  const placeOf = ({ root, state }: Vault): Place => ({ root, state });
  if (existsSync(folder)) return withVault(context, async (vault) => placeOf(vault));
  const { initVault, makeVaultFolder } = await import("../../vault/init.ts");
  makeVaultFolder(folder);
  return withVaultIn(realpathSync.native(folder), context, async (vault) => {
    const lang = languageOf(environment);
    await initVault(vault, { lang, demo: false, now: now(), actor: "cli" });
    return placeOf(vault);
  });
}

function alreadyServed({ root }: Place, owner: OwnerInfo | null): ExpectedError {
  const who = owner === null ? "is just starting" : `is running already, with pid ${owner.pid}`;
  return new ExpectedError(
    "busy",
    `A service of the vault ${root} ${who}. Other commands use it by themselves; to run another, stop that one first.`,
  );
}

/** Serves until it is told to stop, and then ends in good order: first the calls, then the job, then the ownership. */
async function serveAs(
  ownership: Ownership,
  place: Place,
  { now, screen }: CommandContext,
): Promise<void> {
  const { createService } = await import("../../compose.ts");
  const { createApp } = await import("../../server/app.ts");
  const { startLocalServer } = await import("../../server/local-server.ts");
  const version = packageVersion();
  const onBug = (error: unknown, asked: string): void => screen.warn(`${asked}: ${inspect(error)}`);
  const service = await createService({ ...place, now });
  try {
    const server = await startLocalServer(createApp({ service, version, now, onBug }), place.state);
    try {
      const stopped = stopSignal();
      const { endpoint } = server;
      ownership.publish({ endpoint, version, started: now().toISOString() });
      const { pid } = process;
      if (screen.json) screen.printJson({ vault: place.root, state: place.state, pid, endpoint });
      else screen.print(`Serving ${place.root} (pid ${pid}). Stop it with Ctrl-C.`);
      await stopped;
    } finally {
      await server.close();
    }
  } finally {
    await service.close();
  }
}

/** Resolves at the first request to stop. The second ends the process at once, as it does without us. */
async function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  await promise;
  process.off("SIGINT", stop).off("SIGTERM", stop);
}
