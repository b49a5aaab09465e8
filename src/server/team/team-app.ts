import { Hono, type Context } from "hono";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { makeVaultRow, vaultNames } from "../../vault/postgres/vault-row.ts";
import { LOCAL_ONLY } from "../api/backup-routes.ts";
import type { Access } from "../auth/access.ts";
import { guardOrigin, refuseTokenInUrl } from "../auth/guards.ts";
import { compressAnswers } from "../http/compress.ts";
import { bugResponse, problemResponse } from "../http/problem.ts";
import { checked, jsonBody } from "../http/request.ts";
import type { TcpAddress } from "../http/tcp-address.ts";
import type { Door } from "../http/voice.ts";
import { appRoutes, iconRoutes } from "../page/app-routes.ts";
import { assetRoutes } from "../page/asset-routes.ts";
import { loginHtml } from "../page/login-texts.ts";
import { pageIndex } from "../page/page-files.ts";
import { POLICY_HEADER, withNonce } from "../page/page-policy.ts";
import { securityHeaders } from "../page/security-headers.ts";
import { languageOf } from "../page/visitor-language.ts";
import {
  hasTeamCookie,
  setTeamCookie,
  type DecideCaller,
  type LoginCodes,
  type TeamCaller,
} from "./callers.ts";
import { METRICS_TYPE, type Metrics } from "./metrics.ts";
import type { ServedVault } from "./served-vault.ts";
import type { VaultHost } from "./vault-host.ts";
import { noVaultHtml, vaultListHtml } from "./vault-list.ts";

const NewVault = z.strictObject({ name: z.string() });
/** Data for programs: not views of the page. */
const DATA = /^\/(?:api|mcp)(?:\/|$)/u;
/** What is asked of a vault, without its name. */
const IN_VAULT = /^\/v\/([^/]+)(\/.*)?$/u;

export interface TeamAppOptions {
  readonly database: Postgres;
  readonly host: VaultHost;
  readonly access: Access;
  readonly decide: DecideCaller;
  readonly codes: LoginCodes;
  readonly metrics: Metrics;
  readonly address: TcpAddress;
  /** Where browsers reach the service through a proxy; null when they reach it directly. */
  readonly publicUrl: URL | null;
  /** The folder of the built page. */
  readonly page: string;
  readonly isDraining: () => boolean;
  readonly isListening: () => boolean;
  readonly onBug: (error: unknown, asked: string) => void;
}

type TeamHono = Hono<{ Variables: { caller: TeamCaller } }>;

/** All vaults of a team behind one address: `/v/NAME/…` is what the address of one person's vault is. */
export function createTeamApp(options: TeamAppOptions): Hono {
  const { access, page, metrics } = options;
  const app = new Hono();
  app.use(async (c, next) => {
    const started = performance.now();
    await next();
    metrics.observe(kindOf(c.req.path), c.res.status, (performance.now() - started) / 1000);
  });
  addHealthRoutes(app, options);
  app.use(securityHeaders, compressAnswers);
  app.use(guardOrigin(options.address, options.publicUrl), refuseTokenInUrl(access));
  app.route("/", iconRoutes(page));
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
  // A replica is ready when it can answer: it reaches the database, hears of changes, and is not about to end.
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
function addPageRoutes(
  app: Hono,
  { access, codes, database, page, publicUrl, host }: TeamAppOptions,
): void {
  app.get("/enter", async (c) => {
    // Programs that preview links ask for the head only.
    if (c.req.method === "GET" && (await codes.use(c.req.query("code") ?? ""))) {
      setTeamCookie(c, access, publicUrl?.protocol === "https:");
      return c.redirect("/", 303);
    }
    if (hasTeamCookie(c, access)) return c.redirect("/", 303);
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
    if (!hasTeamCookie(c, access))
      return c.html(loginHtml(lang, "closed"), path === "/" ? 200 : 401);
    if (name === "") return c.html(vaultListHtml(lang, await vaultNames(database)));
    if (inside === "") return c.redirect(`${path}/`, 308);
    const isThere = await host.use(name, async () => true).catch(isNotFound);
    if (!isThere) return c.html(noVaultHtml(lang), 404);
    const index = await pageIndex(page);
    if (index === null) return c.html(loginHtml(lang, "unbuilt"));
    const { html, policy } = withNonce(index);
    c.header(POLICY_HEADER, policy);
    return c.html(html);
  });
}

function isNotFound(error: unknown): false {
  if (error instanceof ExpectedError && error.code === "not_found") return false;
  throw error;
}

/** What only callers get that are known. */
function guardedApp(options: TeamAppOptions): Hono<{ Variables: { caller: TeamCaller } }> {
  const { database, host, metrics, page } = options;
  const app: TeamHono = new Hono();
  app.use(async (c, next) => {
    const caller = await options.decide(c);
    if (caller instanceof Response) return caller;
    c.set("caller", caller);
    return next();
  });
  app.route("/", appRoutes(page));
  app.route(
    "/",
    assetRoutes(page, async (c) => notHere(c)),
  );

  app.get("/metrics", async (c) => {
    const text = await metrics.text({
      database,
      openVaults: host.size,
      isListening: options.isListening(),
    });
    return c.body(text, 200, { "content-type": METRICS_TYPE });
  });

  app.get("/api/alive", (c) => c.body(null, 204));
  app.get("/api/vaults", async (c) => c.json({ vaults: await vaultNames(database) }));
  app.post("/api/vaults", async (c) => {
    const { name } = checked(NewVault, await jsonBody(c.req.raw), 'Send {"name": "notes"}');
    const row = await makeVaultRow(database, name);
    return c.json({ name: row.name, address: `/v/${row.name}/` }, 201);
  });

  app.all("/v/:name/*", async (c) => {
    const url = new URL(c.req.url);
    const [, name = "", inside = "/"] = IN_VAULT.exec(url.pathname) ?? [];
    if (LOCAL_ONLY.includes(inside)) return notHere(c);
    url.pathname = inside;
    return host.use(name, async (vault) =>
      answerFrom(vault, new Request(url, c.req.raw), c.get("caller"), c.env),
    );
  });
  return app;
}

/**
 * The one place where a vault answers a caller. All callers see all of it at present; what a person may not see is put between here, as
 * `src/vault/visible` does it for models.
 */
async function answerFrom(
  vault: ServedVault,
  request: Request,
  { voice }: TeamCaller,
  env: unknown,
): Promise<Response> {
  const door: Door = { voice };
  return vault.fetch(request, Object.assign({}, env, door));
}

function notHere(c: Context): Response {
  return problemResponse({
    code: "not_found",
    message: `There is no ${c.req.method} ${c.req.path} here.`,
  });
}
