import { Hono } from "hono";

import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { Rate } from "../../team/audit/rate-limit.ts";
import type { Verifier } from "../../team/identity/verifier.ts";
import type { OidcLogin } from "../../team/identity/oidc-login.ts";
import type { Presence } from "../../team/people/presence.ts";
import type { Team } from "../../team/people/team.ts";
import { secretId } from "../../team/people/secrets.ts";
import { vaultNames } from "../../vault/postgres/vault-row.ts";
import type { Access } from "../auth/access.ts";
import { guardOrigin, refuseTokenInUrl } from "../auth/guards.ts";
import { compressAnswers } from "../http/compress.ts";
import { bugResponse, problemResponse } from "../http/problem.ts";
import type { TcpAddress } from "../http/tcp-address.ts";
import { iconRoutes } from "../page/app-routes.ts";
import { loginHtml } from "../page/login-texts.ts";
import { pageIndex } from "../page/page-files.ts";
import { POLICY_HEADER, withNonce } from "../page/page-policy.ts";
import { securityHeaders } from "../page/security-headers.ts";
import { languageOf } from "../page/visitor-language.ts";
import { setOperatorCookie, visitorOf } from "./callers.ts";
import { guardedApp, IN_VAULT, notHere } from "./guarded-app.ts";
import type { LoginCodes } from "./login-codes.ts";
import type { Metrics } from "./metrics.ts";
import type { VaultHost } from "./vault-host.ts";
import { loginPageHtml } from "./people/login-pages.ts";
import { loginRoutes } from "./people/login-routes.ts";
import { metadataRoutes } from "./people/metadata-routes.ts";
import { noVaultHtml, vaultListHtml } from "./vault-list.ts";

/** Data for programs: not views of the page. */
const DATA = /^\/(?:api|mcp)(?:\/|$)/u;

export interface TeamAppOptions {
  readonly database: Postgres;
  readonly host: VaultHost;
  readonly access: Access;
  readonly team: Team;
  readonly verifier: Verifier;
  readonly presence: Presence;
  /** How people log in with a provider; null when there is none. */
  readonly login: OidcLogin | null;
  /** The provider whose tokens are accepted; null when there is none. */
  readonly issuer: string | null;
  readonly codes: LoginCodes;
  readonly metrics: Metrics;
  readonly address: TcpAddress;
  /** Where browsers reach the service through a proxy; null when they reach it directly. */
  readonly publicUrl: URL | null;
  /** The folder of the built page. */
  readonly page: string;
  /** Calls that a person, and each of their credentials, may make. */
  readonly rate?: Rate | undefined;
  readonly now: () => Date;
  readonly isDraining: () => boolean;
  readonly isListening: () => boolean;
  readonly onBug: (error: unknown, asked: string) => void;
}

/** All vaults of a team behind one address: `/v/NAME/…` is what the address of one person's vault is. */
export function createTeamApp(options: TeamAppOptions): Hono {
  const { access, page, metrics } = options;
  const isToken = (given: string): boolean =>
    access.isToken(given) || secretId("cof", given) !== null || secretId("cofs", given) !== null;
  const app = new Hono();
  app.use(async (c, next) => {
    const started = performance.now();
    await next();
    metrics.observe(kindOf(c.req.path), c.res.status, (performance.now() - started) / 1000);
  });
  addHealthRoutes(app, options);
  app.use(securityHeaders, compressAnswers);
  app.use(guardOrigin(options.address, options.publicUrl), refuseTokenInUrl({ isToken }));
  app.route("/", iconRoutes(page));
  app.route("/", metadataRoutes(options.publicUrl, options.issuer));
  app.route("/", loginRoutes(options));
  addPageRoutes(app, options);
  app.route("/", guardedApp(options));
  app.notFound((c) => notHere(c));
  app.onError((error, c) => {
    if (error instanceof ExpectedError) return problemResponse(error);
    options.onBug(error, `${c.req.method} ${c.req.path}`);
    return bugResponse();
  });
  return app;
}

function kindOf(path: string): string {
  const inside = IN_VAULT.exec(path)?.[2] ?? path;
  return /^\/(api|mcp)\//u.exec(inside)?.[1] ?? "page";
}

/** For those who watch over replicas: without a token, and without anything about a vault. */
function addHealthRoutes(app: Hono, { database, isDraining, isListening }: TeamAppOptions): void {
  app.get("/healthz", (c) => c.text("ok\n"));
  // A replica is ready when it can answer: it reaches the database, is told of changes, and is not about to end.
  app.get("/readyz", async (c) => {
    if (isDraining()) return c.text("draining\n", 503);
    if (!isListening()) return c.text("no notices\n", 503);
    try {
      await database.query("SELECT 1");
      return c.text("ready\n");
    } catch {
      return c.text("no database\n", 503);
    }
  });
}

/** How browsers come in, and the documents that they open. */
function addPageRoutes(app: Hono, options: TeamAppOptions): void {
  const { access, codes, database, page, publicUrl } = options;
  app.get("/enter", async (c) => {
    // Programs that preview links ask for the head only.
    if (c.req.method === "GET" && (await codes.use(c.req.query("code") ?? ""))) {
      setOperatorCookie(c, access, publicUrl?.protocol === "https:");
      return c.redirect("/", 303);
    }
    if ((await visitorOf(c, options)) !== null) return c.redirect("/", 303);
    c.header("www-authenticate", 'Bearer realm="coffre"');
    return c.html(loginHtml(await languageOf(c), "used"), 401);
  });

  app.get("*", async (c, next) => {
    const { path } = c.req;
    const [, name = "", inside = ""] = IN_VAULT.exec(path) ?? [];
    // Health checks of containers ask for the entry page, and name no type.
    const isVisit = path === "/" || c.req.header("accept")?.includes("text/html") === true;
    const isView = name === "" ? path === "/" : !DATA.test(inside);
    if (!isVisit || !isView) return next();
    c.header("vary", "accept-language, cookie");
    const lang = await languageOf(c);
    const visitor = await visitorOf(c, options);
    if (visitor === null)
      return c.html(loginPageHtml(lang, options.login !== null, path), path === "/" ? 200 : 401);
    const seen =
      visitor === "operator"
        ? await vaultNames(database)
        : await options.team.grants.vaultsOf(visitor.id);
    if (name === "") {
      const who = visitor === "operator" ? null : visitor.name;
      return c.html(vaultListHtml(lang, seen, who));
    }
    if (inside === "") return c.redirect(`${path}/`, 308);
    if (!seen.includes(name)) return c.html(noVaultHtml(lang), 404);
    const index = await pageIndex(page);
    if (index === null) return c.html(loginHtml(lang, "unbuilt"));
    const { html, policy } = withNonce(index);
    c.header(POLICY_HEADER, policy);
    return c.html(html);
  });
}
