import { inspect } from "node:util";

import { ExpectedError } from "../../errors.ts";
import type { OwnerInfo, Ownership } from "../../jobs/owner/owner-lock.ts";
import type { InitAnswer } from "../../server/api/contract.ts";
import type { VaultClient } from "../../server/client/vault-client.ts";
import type { OpenedVault } from "../../server/client/vault-link.ts";
import type { Language } from "../../text/language.ts";
import { indexingProgress } from "../output/indexing-progress.ts";
import type { Screen } from "../output/screen.ts";
import type { CommandContext } from "../table/command.ts";
import { packageVersion } from "../system/process.ts";
import { isAddress, placeIn, placeOf, type Place } from "./place.ts";

/**
 * What a command needs of its vault. `look`: nothing but the files. `search`: the index as well, on disk if this process can own the vault, else
 * in memory. `change`: to own the vault, like the service. `long`: the same, and other commands reach it meanwhile.
 */
export type Need = "look" | "search" | "change" | "long";

/** The vault of a command: through the process that owns it, or open in this one. */
export interface ReachedVault {
  readonly client: VaultClient;
  readonly place: Place;
  /** The process that owns the vault; null when this command opened it itself. */
  readonly owner: OwnerInfo | null;
  /** Whether something else than this command serves it, and goes on when it ends. */
  readonly isServed: boolean;
  readonly screen: Screen;
}

/** Milliseconds. A command that owns the vault for a moment ends soon; a search does not wait longer for the index on disk. */
const SEARCH_WAIT = 2000;

export interface ReachOptions {
  /** The vault; that of the command line by default. */
  readonly place?: Place;
  /** Milliseconds to wait for an owner that does not answer, before `busy` is thrown. */
  readonly timeout?: number;
}

/** Lends a vault to `work`, and closes it. */
export async function withVault<T>(
  context: CommandContext,
  need: Need,
  work: (vault: ReachedVault) => Promise<T>,
  { place = placeOf(context), ...options }: ReachOptions = {},
): Promise<T> {
  // Loaded when needed: help, versions and mistakes are answered without it.
  const { VaultLink } = await import("../../server/client/vault-link.ts");
  const { VaultClient } = await import("../../server/client/vault-client.ts");
  const { OwnerGoneError } = await import("../../server/client/transport.ts");
  const isLooking = need === "look" || need === "search";
  const reach = async (isSkippingOwner: boolean): Promise<T> => {
    const open = opener(place, context, need);
    const link = new VaultLink({ state: place.state, open, isSkippingOwner, ...options });
    try {
      const { screen } = context;
      const owner = await link.owner();
      return await work({
        client: new VaultClient(link),
        place,
        owner,
        isServed: owner !== null,
        screen,
      });
    } finally {
      await link.close();
    }
  };
  try {
    return await reach(false);
  } catch (error) {
    // An owner that ends before it answers is not needed to look.
    if (!isLooking || !(error instanceof OwnerGoneError)) throw error;
    return reach(true);
  }
}

/** The same for a vault in a folder, or at the address of a service. */
export async function withAnyVault<T>(
  context: CommandContext,
  need: Need,
  work: (vault: ReachedVault) => Promise<T>,
): Promise<T> {
  const { vault } = context.named;
  if (vault === undefined || !isAddress(vault)) return withVault(context, need, work);
  const { remoteVault } = await import("./remote-vault.ts");
  return work(remoteVault(vault, context));
}

/** Makes the vault in a folder, or what is missing there. */
export async function makeVault(
  folder: string,
  lang: Language,
  isDemo: boolean,
  context: CommandContext,
): Promise<InitAnswer> {
  const { makeVaultFolder } = await import("../../vault/init.ts");
  makeVaultFolder(folder);
  const place = placeIn(folder, context);
  const init = async ({ client }: ReachedVault): Promise<InitAnswer> => client.init(lang, isDemo);
  return withVault(context, "change", init, { place });
}

function opener(
  place: Place,
  context: CommandContext,
  need: Need,
): () => Promise<OpenedVault | null> {
  if (need === "look") return async () => openLooking(place, context, taken());
  if (need === "search") {
    const latest = performance.now() + SEARCH_WAIT;
    return async () => {
      const ownership = await tryOwnership(place);
      const isTaken = ownership instanceof ExpectedError && ownership.code === "busy";
      const isWaiting = isTaken && performance.now() < latest;
      return isWaiting ? null : openLooking(place, context, ownership);
    };
  }
  return async () => {
    const { ownVault } = await import("./own-vault.ts");
    return ownVault(place, context, { mode: need === "long" ? "reachable" : "one-shot" });
  };
}

/** Why not, when another process owns the vault (`busy`) or the state folder cannot be used. */
async function tryOwnership({ state }: Place): Promise<Ownership | ExpectedError> {
  const { acquireOwnership } = await import("../../jobs/owner/owner-lock.ts");
  try {
    return acquireOwnership(state) ?? taken();
  } catch (error) {
    if (error instanceof ExpectedError) return error;
    return new ExpectedError("unavailable", String(error), { cause: error });
  }
}

function taken(): ExpectedError {
  return new ExpectedError("busy", "Another process owns the vault; try again in a moment.");
}

async function openLooking(
  place: Place,
  context: CommandContext,
  ownership: Ownership | ExpectedError,
): Promise<OpenedVault> {
  const { LookingService } = await import("../../looking-service.ts");
  const { createToolCaller } = await import("../../server/api/tool-routes.ts");
  const { silentLog } = await import("../../server/http/log.ts");
  const { appTransport } = await import("../../server/client/transport.ts");
  const { screen, now, environment } = context;
  const [owned, whyNotOwned] =
    ownership instanceof ExpectedError ? [null, ownership] : [ownership, null];
  const onBug = (error: unknown): void => screen.warn(inspect(error));
  try {
    const service = new LookingService({
      ...place,
      settings: async () =>
        (await import("../../settings.ts")).serviceSettings(place.state, environment),
      now,
      onBug,
      whyNotOwned,
      onIndexing: indexingProgress(screen, 50),
      onRebuild: (why) => screen.warn(`The search index is rebuilt: ${why}.`),
    });
    // The routes take as long to load as all the rest, and most commands only call a tool.
    const fetch = async (request: Request): Promise<Response> => {
      const { createApp } = await import("../../server/api/app.ts");
      const { recaller } = service;
      const version = packageVersion();
      return createApp({ service, recaller, version, now, onBug }).fetch(request);
    };
    const callTool = createToolCaller({ service, now, onBug, log: silentLog });
    return {
      transport: appTransport({ fetch, callTool }),
      close: async () => {
        await service.close();
        owned?.release();
      },
    };
  } catch (error) {
    owned?.release();
    throw error;
  }
}
