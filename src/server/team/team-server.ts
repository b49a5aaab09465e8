import type { MemoryOptions } from "../../agents/memory.ts";
import type { IngestSettings } from "../../ingest/ingest.ts";
import { Notices } from "../../storage/postgres/notices.ts";
import { openPostgres } from "../../storage/postgres/postgres.ts";
import { OidcLogin, type OidcClient } from "../../team/identity/oidc-login.ts";
import type { Rate } from "../../team/audit/rate-limit.ts";
import type { Provider } from "../../team/identity/provider.ts";
import { Verifier } from "../../team/identity/verifier.ts";
import { Presence } from "../../team/people/presence.ts";
import { Team } from "../../team/people/team.ts";
import { TeamService } from "../../team/team-service.ts";
import type { AppOptions } from "../api/app.ts";
import { Access } from "../auth/access.ts";
import { startTcpServer } from "../http/http-server.ts";
import { addressUrl, type TcpAddress } from "../http/tcp-address.ts";
import { questionSeal } from "../mcp/elicitation.ts";
import { PAGE_FOLDER } from "../page/page-files.ts";
import { LoginCodes } from "./login-codes.ts";
import { Metrics } from "./metrics.ts";
import { ServedVault } from "./served-vault.ts";
import { PRESENCE_SECONDS } from "./people/contract.ts";
import { createTeamApp } from "./team-app.ts";
import { VaultHost } from "./vault-host.ts";

/** The part of the connections that one vault takes at most: however busy it is, others are answered. */
const MOST_OF_ONE = 0.6;

/** Milliseconds in which a proxy uses up the connections that it keeps to a replica that stops. */
const LINGER = 500;

export interface TeamServerOptions extends Pick<AppOptions, "version" | "now" | "onBug" | "log"> {
  /** `postgres://…`. */
  readonly url: string;
  readonly token: string;
  readonly at: TcpAddress;
  readonly publicUrl: URL | null;
  /** A folder for what is only of the moment. */
  readonly scratch: string;
  readonly model: MemoryOptions["model"];
  readonly dailyTokens: number | null;
  readonly ingest: IngestSettings;
  /** Who people log in with; without one they have personal tokens and invitations. */
  readonly provider?: Provider;
  /** What this service is to the provider; without it nobody logs in there with a browser. */
  readonly client?: Pick<OidcClient, "id" | "secret">;
  /** Calls that a person, and each of their credentials, may make of this replica. */
  readonly rate?: Rate;
}

export interface TeamServer {
  /** Where it listens. */
  readonly address: string;
  /** A link that lets one browser in, once. */
  newLink(): Promise<string>;
  /** From now on it says that it is not ready, so that a proxy sends requests elsewhere; it answers those that come all the same. */
  drain(): void;
  /** Lets calls under way finish, puts running updates back for other replicas, and closes everything. */
  close(): Promise<void>;
}

/** Starts one replica: it keeps nothing that another could not go on with. */
export async function startTeamServer(options: TeamServerOptions): Promise<TeamServer> {
  const { url, token, at, publicUrl, scratch, now, onBug, version, log } = options;
  const { model, dailyTokens, ingest } = options;
  const database = await openPostgres({ url });
  const notices = new Notices(url);
  const close = async (): Promise<void> => {
    await notices.close();
    await database.close();
  };
  try {
    await notices.start();
    const isListening = (): boolean => notices.isListening;
    const access = new Access(token, now);
    const host = new VaultHost({
      database,
      isListening,
      now,
      onBug,
      open: async (row) => {
        const common = { database: database.share(MOST_OF_ONE), row, now, onBug };
        const given = { notices, scratch: `${scratch}/${row.id}`, model, dailyTokens, ingest };
        const service = await TeamService.open({ ...common, ...given });
        return new ServedVault({
          ...common,
          service,
          seal: questionSeal(access.keyFor(`questions of vault ${row.id}`)),
          version,
          ...(log === undefined ? {} : { log }),
        });
      },
    });
    const codes = new LoginCodes(database);
    const team = new Team(database, now);
    const verifier = new Verifier(team, options.provider ?? null);
    const loginAt = (base: string): OidcLogin | null => {
      const { provider, client } = options;
      if (provider === undefined || client === undefined) return null;
      const redirect = `${base}/login/callback`;
      return new OidcLogin(database, provider, { ...client, redirect }, now);
    };
    let isDraining = false;
    const server = await startTcpServer(
      (address) =>
        createTeamApp({
          database,
          host,
          access,
          codes,
          team,
          verifier,
          presence: new Presence(database, PRESENCE_SECONDS),
          login: loginAt(publicUrl?.origin ?? addressUrl(address)),
          issuer: options.provider?.issuer ?? null,
          metrics: new Metrics(),
          address,
          publicUrl,
          rate: options.rate,
          now,
          page: PAGE_FOLDER,
          isDraining: () => isDraining,
          isListening,
          onBug,
        }),
      at,
      { linger: LINGER },
    );
    const address = addressUrl(server.address);
    return {
      address,
      newLink: async () =>
        `${(publicUrl?.href ?? address).replace(/\/$/u, "")}/enter?code=${await codes.make()}`,
      drain: () => {
        isDraining = true;
      },
      close: async () => {
        isDraining = true;
        await server.close();
        await host.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
