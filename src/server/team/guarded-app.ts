import { Hono, type Context } from "hono";
import { z } from "zod";

import { RateLimits, type Rate } from "../../team/audit/rate-limit.ts";
import { findVaultRow, makeVaultRow, noVault } from "../../vault/postgres/vault-row.ts";
import { ExpectedError } from "../../errors.ts";
import { LOCAL_ONLY } from "../api/backup-routes.ts";
import { problemResponse, tooManyResponse } from "../http/problem.ts";
import { checked, jsonBody } from "../http/request.ts";
import type { Door } from "../http/voice.ts";
import { appRoutes } from "../page/app-routes.ts";
import { assetRoutes } from "../page/asset-routes.ts";
import { callersOf, rightsOf, senderOf, type AskedVault, type TeamCaller } from "./callers.ts";
import { METRICS_TYPE } from "./metrics.ts";
import { addMemberRoutes } from "./people/member-routes.ts";
import { addOwnRoutes } from "./people/own-routes.ts";
import { addPresenceRoutes } from "./people/presence-routes.ts";
import type { AskedBy } from "./served-vault.ts";
import type { TeamAppOptions } from "./team-app.ts";
import { vaultNames } from "./vault-list.ts";

const NewVault = z.strictObject({ name: z.string() });
/** The name of a vault, and what is asked of it. */
export const IN_VAULT = /^\/v\/([^/]+)(\/.*)?$/u;

/** Of each person, and of each credential; a page asks for some fifty things when it is opened. */
const DEFAULT_RATE: Rate = { perSecond: 50, burst: 500 };

/** What is known of a request behind the guard: who sends it, and to which vault. */
interface GuardedVariables {
  caller: TeamCaller;
  vault: AskedVault | null;
  /** Where it came from. */
  sender: string | null;
}
export type GuardedHono = Hono<{ Variables: GuardedVariables }>;
export type GuardedContext = Context<{ Variables: GuardedVariables }>;

/** What only callers get that are known. */
export function guardedApp(options: TeamAppOptions): GuardedHono {
  const { database, host, metrics, page, team, now } = options;
  const limits = new RateLimits(options.rate ?? DEFAULT_RATE);
  const decide = callersOf(options);
  const app: GuardedHono = new Hono();
  app.use(async (c, next) => {
    const vault = await askedVault(c);
    const caller = await decide(c, vault);
    if (caller instanceof Response) return caller;
    const wait = limits.take(bucketsOf(caller), now().getTime());
    if (wait > 0) return tooManyResponse(wait);
    c.set("caller", caller);
    c.set("vault", vault);
    c.set("sender", senderOf(c, options.publicUrl !== null));
    return next();
  });
  app.route("/", appRoutes(page));
  app.route(
    "/",
    assetRoutes(page, async (c) => notHere(c)),
  );

  app.get("/metrics", async (c) => {
    refuseNotOperator(c.get("caller"));
    const text = await metrics.text({
      database,
      openVaults: host.size,
      isListening: options.isListening(),
    });
    return c.body(text, 200, { "content-type": METRICS_TYPE });
  });

  app.get("/api/alive", (c) => c.body(null, 204));
  app.get("/api/vaults", async (c) => {
    const { person, limit } = c.get("caller");
    const names =
      person === null ? await vaultNames(database) : await team.grants.vaultsOf(person.id, [limit]);
    return c.json({ vaults: names });
  });
  app.post("/api/vaults", async (c) => {
    refuseNotOperator(c.get("caller"));
    const { name } = checked(NewVault, await jsonBody(c.req.raw), 'Send {"name": "notes"}');
    const row = await makeVaultRow(database, name);
    return c.json({ name: row.name, address: `/v/${row.name}/` }, 201);
  });

  addOwnRoutes(app, options);
  addMemberRoutes(app, options);
  addPresenceRoutes(app, options);

  app.all("/v/:name/*", async (c) => {
    const caller = c.get("caller");
    const url = new URL(c.req.url);
    const [, name = "", inside = "/"] = IN_VAULT.exec(url.pathname) ?? [];
    const asked = c.get("vault");
    const rights = asked === null ? null : await rightsOf(team, caller, asked);
    // One that its caller sees nothing of is not there, and is not opened.
    if (rights === null || asked === null) throw noVault(name);
    if (LOCAL_ONLY.includes(inside)) return notHere(c);
    url.pathname = inside;
    const door: Door = { voice: caller.voice };
    const { person, limit, credential } = caller;
    const by: AskedBy = {
      person,
      limit,
      rights,
      from: { credential, address: c.get("sender") },
      mayRead: async () => {
        if (person === null) return true;
        const again = await decide(c, asked);
        if (again instanceof Response) return false;
        return (await rightsOf(team, again, asked))?.key === rights.key;
      },
    };
    return host.use(name, async (vault) =>
      vault.fetch(new Request(url, c.req.raw), Object.assign({}, c.env, door), by),
    );
  });
  return app;

  async function askedVault(c: Context): Promise<AskedVault | null> {
    const [, name] = IN_VAULT.exec(c.req.path) ?? [];
    if (name === undefined) return null;
    return { name, id: await findVaultId(name) };
  }

  async function findVaultId(name: string): Promise<number | null> {
    try {
      return (await findVaultRow(database, name)).id;
    } catch (error) {
      if (error instanceof ExpectedError && error.code === "not_found") return null;
      throw error;
    }
  }
}

/** A person and each of their credentials have a bucket; whoever runs the service has none. */
function bucketsOf({ person, credential }: TeamCaller): string[] {
  return person === null ? [] : [`person ${person.id}`, `${person.id} ${credential}`];
}

/** For what concerns the service and no vault. */
function refuseNotOperator({ kind }: TeamCaller): void {
  if (kind === "operator") return;
  throw new ExpectedError(
    "no_permission",
    "Only who runs the service may do that, with its token (COFFRE_TOKEN).",
  );
}

export function notHere(c: Context): Response {
  return problemResponse({
    code: "not_found",
    message: `There is no ${c.req.method} ${c.req.path} here.`,
  });
}
