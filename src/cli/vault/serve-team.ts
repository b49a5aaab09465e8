import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";

import { oidcSettings, type Environment } from "../../config.ts";
import { accessToken } from "../../server/auth/access-token.ts";
import { standardErrorLog } from "../../server/http/log.ts";
import type { TcpAddress } from "../../server/http/tcp-address.ts";
import { startTeamServer, type TeamServerOptions } from "../../server/team/team-server.ts";
import { serviceSettings } from "../../settings.ts";
import { loadJose } from "../../team/identity/load-jose.ts";
import { Provider } from "../../team/identity/provider.ts";
import { packageVersion, stopSignal } from "../system/process.ts";
import { UsageError, type CommandContext } from "../table/command.ts";
import { linkText } from "../output/status-text.ts";

export interface ServeTeamOptions {
  /** `postgres://…`. */
  readonly url: string;
  readonly at: TcpAddress;
  readonly token: string | undefined;
  readonly publicUrl: string | undefined;
  /** Seconds. */
  readonly drain: number | undefined;
}

/** Serves the vaults of a database as one of several replicas, until a signal says to stop. */
export async function serveTeam(
  { url, at, token: explicit, publicUrl, drain = 0 }: ServeTeamOptions,
  { screen, now, environment }: CommandContext,
): Promise<void> {
  if (explicit === undefined)
    throw new UsageError(
      "With --database a token is needed, the same for all replicas: COFFRE_TOKEN or --token.",
    );
  const stopped = stopSignal();
  const scratch = mkdtempSync(path.join(tmpdir(), "coffre-"));
  try {
    const log = await standardErrorLog();
    const server = await startTeamServer({
      url,
      at,
      token: accessToken({ state: scratch, host: at.host, explicit }),
      publicUrl: checkedUrl(publicUrl),
      scratch,
      now,
      version: packageVersion(),
      log,
      onBug: (error, asked) => log.error({ err: inspect(error), asked }, "bug"),
      ...serviceSettings(scratch, environment),
      ...(await oidcOf(environment, now)),
    });
    try {
      const { address } = server;
      const { pid } = process;
      const link = await server.newLink();
      screen.show({ address, link, pid }, () =>
        [
          `Serving the vaults of a database at ${address} (pid ${pid}). Stop it with Ctrl-C.`,
          linkText(link),
        ].join("\n"),
      );
      await stopped;
      server.drain();
      await pause(drain * 1000);
    } finally {
      await server.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Throws when the package that checks the tokens of a provider is missing: at the start, and not at the first login. */
async function oidcOf(
  environment: Environment,
  now: () => Date,
): Promise<Pick<TeamServerOptions, "provider" | "client">> {
  const settings = oidcSettings(environment);
  if (settings === null) return {};
  await loadJose();
  return { provider: new Provider({ issuer: settings.issuer, now }), client: settings.client };
}

function checkedUrl(text: string | undefined): URL | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWhole = url !== null && /^https?:$/u.test(url.protocol) && url.pathname === "/";
  if (isWhole) return url;
  throw new UsageError(
    `--public-url takes an address without a path, https://notes.example.com for example, not ${text}.`,
  );
}
