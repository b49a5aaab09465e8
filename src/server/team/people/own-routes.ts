import { ExpectedError } from "../../../errors.ts";
import type { Person } from "../../../team/people/people.ts";
import type { Token } from "../../../team/people/tokens.ts";
import { Rights } from "../../../team/rights/rights.ts";
import { showPath } from "../../../vault/paths.ts";
import { findVaultRow, noVault, vaultNames } from "../../../vault/postgres/vault-row.ts";
import { checked, jsonBody } from "../../http/request.ts";
import type { GuardedContext, GuardedHono } from "../guarded-app.ts";
import { baseOf, clearCookies, sessionCookie } from "../callers.ts";
import type { TeamAppOptions } from "../team-app.ts";
import { eventOf, vaultOf } from "./asked-vault.ts";
import {
  LogoutBody,
  NewTokenBody,
  type DeviceAnswer,
  type MeAnswer,
  type NewTokenAnswer,
  type PersonJson,
  type TokenJson,
  type TokensAnswer,
  type VaultMeAnswer,
} from "./contract.ts";
import { deviceLink } from "./device-page.ts";

const ALL = new Rights([{ folder: "", role: "owner" }]);
const DAY = 86_400_000;

export type OwnRoutesOptions = Pick<
  TeamAppOptions,
  "database" | "team" | "login" | "now" | "publicUrl"
>;

/** What concerns the caller alone: who they are, their tokens, their other devices, and the end of their logins. */
export function addOwnRoutes(
  app: GuardedHono,
  { database, team, login, now, publicUrl }: OwnRoutesOptions,
): void {
  app.get("/api/me", async (c) => {
    const caller = c.get("caller");
    const seen: readonly (readonly [string, Rights])[] =
      caller.kind === "operator"
        ? (await vaultNames(database)).map((name) => [name, ALL] as const)
        : await team.grants.rightsInAll(caller.person.id, [caller.limit]);
    const vaults = seen.map(([name, rights]) => ({
      name,
      address: `/v/${name}/`,
      role: rights.roleAt(""),
      isOwner: rights.isOwner,
    }));
    const { person } = caller;
    return c.json({
      operator: person === null,
      person: person === null ? null : personJson(person),
      vaults,
      login: { oidc: login !== null },
    } satisfies MeAnswer);
  });

  app.get("/v/:name/api/me", async (c) => {
    const { rights } = await vaultOf(c, team);
    const { person } = c.get("caller");
    return c.json({
      operator: person === null,
      person: person === null ? null : personJson(person),
      role: rights.roleAt(""),
      mayWrite: rights.mayWrite(""),
      isOwner: rights.isOwner,
      folders: rights.visibleGrants.map(({ folder, role }) => ({
        folder: showPath(folder, "folder"),
        role,
      })),
    } satisfies VaultMeAnswer);
  });

  app.post("/api/logout", async (c) => {
    const form = 'Send {"everywhere": true}';
    const { everywhere } = checked(LogoutBody, (await jsonBody(c.req.raw)) ?? {}, form);
    const cookie = sessionCookie(c);
    if (everywhere) {
      await team.sessions.endAll(loggedIn(c).id);
      await team.audit.add(eventOf(c, null, { call: "logged out everywhere" }));
    } else if (cookie !== null) await team.sessions.end(cookie);
    clearCookies(c);
    return c.body(null, 204);
  });

  app.post("/api/devices", async (c) => {
    const { text, expires } = await team.sessions.offer(loggedIn(c).id);
    await team.audit.add(eventOf(c, null, { call: "device link made" }));
    const link = deviceLink(baseOf(c, publicUrl), text);
    return c.json({ link, expires: expires.toISOString() } satisfies DeviceAnswer, 201);
  });

  app.get("/api/tokens", async (c) => {
    const names = await namesOfVaults();
    const tokens = (await team.tokens.list(loggedIn(c).id)).filter(
      ({ revoked }) => revoked === null,
    );
    return c.json({
      tokens: tokens.map((token) => tokenJson(token, names)),
    } satisfies TokensAnswer);
  });

  app.post("/api/tokens", async (c) => {
    const person = loggedIn(c);
    const form = 'Send {"name": "laptop"}';
    const { name, vault, folder, scopes, days } = checked(
      NewTokenBody,
      await jsonBody(c.req.raw),
      form,
    );
    const row = typeof vault === "string" ? await seenVault(person, vault) : null;
    const { text, token } = await team.tokens.create({
      person: person.id,
      name,
      scopes,
      expires: new Date(now().getTime() + days * DAY),
      ...(row === null ? {} : { vault: row.id }),
      ...(typeof folder === "string" ? { folder } : {}),
    });
    await team.audit.add(eventOf(c, row, { call: "token made", paths: [token.id] }));
    return c.json(
      {
        secret: text,
        token: tokenJson(token, await namesOfVaults()),
      } satisfies NewTokenAnswer,
      201,
    );
  });

  app.delete("/api/tokens/:id", async (c) => {
    const id = c.req.param("id");
    if (!(await team.tokens.revoke(id, { person: loggedIn(c).id }))) throw noToken(id);
    await team.audit.add(eventOf(c, null, { call: "token revoked", paths: [id] }));
    return c.body(null, 204);
  });

  async function namesOfVaults(): Promise<Map<number, string>> {
    const rows = await database.query("SELECT id, name FROM vaults");
    return new Map(rows.map(({ id, name }) => [Number(id), String(name)]));
  }

  /** A token for a vault that its person sees nothing of would tell that it exists. */
  async function seenVault(
    { id }: Person,
    name: string,
  ): Promise<{ readonly id: number; readonly name: string }> {
    const row = await findVaultRow(database, name);
    if ((await team.grants.rights(id, row.id)).seesSomething) return row;
    throw noVault(name);
  }
}

/** With a token nobody makes other credentials, which could do more than it, or for longer, and nobody ends logins. */
function loggedIn(c: GuardedContext): Person {
  const caller = c.get("caller");
  if (caller.kind === "person" && caller.isSession) return caller.person;
  throw new ExpectedError(
    "no_permission",
    "Personal tokens and logins are made and ended by who is logged in with a browser, not with a token. Whoever runs the service does it with: coffre team token, coffre team logout.",
  );
}

export function noToken(id: string): ExpectedError {
  return new ExpectedError("not_found", `There is no such token: ${JSON.stringify(id)}.`);
}

export function personJson({ id, name, email }: Person): PersonJson {
  return { id, name, email };
}

export function tokenJson(token: Token, vaults: ReadonlyMap<number, string>): TokenJson {
  const { id, name, vault, folder, scopes, created, expires, lastUsed } = token;
  return {
    id,
    name,
    vault: vault === null ? null : (vaults.get(vault) ?? null),
    folder: folder === null ? null : showPath(folder, "folder"),
    scopes: [...scopes],
    created: isoTime(created),
    expires: isoTime(expires),
    lastUsed: lastUsed === null ? null : isoTime(lastUsed),
  };
}

/** @param at milliseconds since 1970 */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
