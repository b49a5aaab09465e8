import { z } from "zod";

import { ROLES, SCOPES } from "../../../team/rights/rights.ts";

/*
 * People of a team's vaults over HTTP, for both ends. Times are ISO in UTC. Folders are shown as everywhere, `vault/hr/`; `vault/` is the
 * whole vault. What a caller may not do is a 403, a vault that they see nothing of a 404.
 */

const Role = z.enum(ROLES);
const Scope = z.enum(SCOPES);
const Time = z.string();
export const TOKEN_DAYS = { usual: 90, most: 366 } as const;
export const INVITATION_DAYS = { usual: 7, most: 30 } as const;

const PersonJson = z.object({ id: z.string(), name: z.string(), email: z.string().nullable() });
export type PersonJson = Readonly<z.infer<typeof PersonJson>>;

/** Somebody without their address: for those who do not administer them. */
const Named = PersonJson.pick({ id: true, name: true });

const FolderRole = z.object({ folder: z.string(), role: Role });

/** What `GET /api/me` answers. */
export const MeAnswer = z.object({
  /** Whoever has the service's own token, or its cookie: they may do everything, and are no person. */
  operator: z.boolean(),
  person: PersonJson.nullable(),
  vaults: z.array(
    z.object({
      name: z.string(),
      /** `/v/NAME/` */
      address: z.string(),
      /** For the whole vault: `none` for somebody who sees only some folders of it. */
      role: Role,
      isOwner: z.boolean(),
    }),
  ),
  /** How people log in here: with a provider, or by invitations only. */
  login: z.object({ oidc: z.boolean() }),
});
export type MeAnswer = Readonly<z.infer<typeof MeAnswer>>;

/** What `GET /v/NAME/api/me` answers: with what a token takes away taken away. */
export const VaultMeAnswer = z.object({
  operator: z.boolean(),
  person: PersonJson.nullable(),
  /** For the whole vault. */
  role: Role,
  /** Whether something directly in the vault may be written. */
  mayWrite: z.boolean(),
  isOwner: z.boolean(),
  /** Folders where another role counts than in the folder above them, those above first. */
  folders: z.array(FolderRole),
});
export type VaultMeAnswer = Readonly<z.infer<typeof VaultMeAnswer>>;

/** A personal token without its secret. */
const TokenJson = z.object({
  id: z.string(),
  name: z.string(),
  /** Null for all vaults of its person. */
  vault: z.string().nullable(),
  /** Null for the whole vault. */
  folder: z.string().nullable(),
  scopes: z.array(Scope),
  created: Time,
  expires: Time,
  /** To the minute; null when it was never used. */
  lastUsed: Time.nullable(),
});
export type TokenJson = Readonly<z.infer<typeof TokenJson>>;

/** What `GET /api/tokens` answers: the caller's own that were not revoked, those that have ended too. */
export const TokensAnswer = z.object({ tokens: z.array(TokenJson) });
export type TokensAnswer = Readonly<z.infer<typeof TokensAnswer>>;

/** The body of `POST /api/tokens`. `DELETE /api/tokens/ID` revokes one, and answers 204. */
export const NewTokenBody = z.strictObject({
  name: z.string(),
  vault: z.string().nullish(),
  /** Only with a vault. */
  folder: z.string().nullish(),
  scopes: z.array(Scope).default([...SCOPES]),
  days: z.int().min(1).max(TOKEN_DAYS.most).default(TOKEN_DAYS.usual),
});
export type NewTokenBody = Readonly<z.input<typeof NewTokenBody>>;

/** What it answers, with status 201: the secret is told this once. */
export const NewTokenAnswer = z.object({ secret: z.string(), token: TokenJson });
export type NewTokenAnswer = Readonly<z.infer<typeof NewTokenAnswer>>;

/** The body of `POST /api/logout`, which may be left out: only this browser, or all in which the person is logged in. It answers 204. */
export const LogoutBody = z.strictObject({ everywhere: z.boolean().default(false) });

/** What `POST /api/devices` answers, with status 201: a link that logs the caller in with one more browser, once. It is told this once. */
export const DeviceAnswer = z.object({ link: z.string(), expires: Time });
export type DeviceAnswer = Readonly<z.infer<typeof DeviceAnswer>>;

const Invitation = z.object({
  id: z.string(),
  role: Role,
  /** Whom it is for, as far as it was said. */
  email: z.string().nullable(),
  person: Named.nullable(),
  /** Null for one of the operator. */
  invitedBy: Named.nullable(),
  created: Time,
  expires: Time,
});

/** What `GET /v/NAME/api/team` answers owners. */
export const TeamAnswer = z.object({
  people: z.array(
    z.object({
      person: PersonJson,
      isDisabled: z.boolean(),
      /** The one for the whole vault first, when there is one. */
      grants: z.array(FolderRole),
      /** Their last call to this vault. */
      lastSeen: Time.nullable(),
    }),
  ),
  /** Those that can still be used. */
  invitations: z.array(Invitation),
  /** Those for this vault only, with whose they are; `DELETE /v/NAME/api/team/tokens/ID` revokes one. */
  tokens: z.array(TokenJson.extend({ person: Named })),
});
export type TeamAnswer = Readonly<z.infer<typeof TeamAnswer>>;

/** The body of `POST /v/NAME/api/team/invitations`. `DELETE …/invitations/ID` takes one back. */
export const InviteBody = z.strictObject({
  role: z.enum(["viewer", "editor", "owner"]),
  email: z.string().nullish(),
  days: z.int().min(1).max(INVITATION_DAYS.most).default(INVITATION_DAYS.usual),
});
export type InviteBody = Readonly<z.input<typeof InviteBody>>;

/** What it answers, with status 201: the link is told this once. */
export const InvitedAnswer = z.object({ id: z.string(), link: z.string(), expires: Time });
export type InvitedAnswer = Readonly<z.infer<typeof InvitedAnswer>>;

/**
 * The body of `POST /v/NAME/api/team/grants`: somebody of this vault, a folder (`vault/` or left out for all of it), and their role there;
 * null takes the grant away, so that what counts above counts there too. `DELETE /v/NAME/api/team/people/ID` takes away all that they have in
 * this vault.
 */
export const GrantBody = z.strictObject({
  person: z.string(),
  folder: z.string().default(""),
  role: Role.nullable(),
});
export type GrantBody = Readonly<z.input<typeof GrantBody>>;

export const GrantedAnswer = z.object({
  grants: z.array(FolderRole),
  /** Present when the vault has no such folder yet: perhaps it is misspelt. */
  isMissing: z.literal(true).optional(),
});
export type GrantedAnswer = Readonly<z.infer<typeof GrantedAnswer>>;

/**
 * The query of `GET /v/NAME/api/team/audit`. With `format` it is a file of all that fits, the oldest first: `csv`, or a line of JSON for each
 * call (`ndjson`).
 */
export const AuditQuery = z.object({
  /** An id. */
  person: z.string().optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  /** `true`: without what was only looked at. */
  changes: z.enum(["true", "false"]).default("false"),
  /** Only those before the row of this id: the `next` of the answer before. */
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  format: z.enum(["csv", "ndjson"]).optional(),
});

const AuditJson = z.object({
  id: z.int(),
  at: Time,
  /** Null for the operator. */
  person: Named.nullable(),
  /** `token ID`, `session ID`, `oidc` or null, never the secret. */
  credential: z.string().nullable(),
  client: z.string().nullable(),
  call: z.string(),
  paths: z.array(z.string()),
  batch: z.string().nullable(),
  /** Where the request came from. */
  address: z.string().nullable(),
  /** `done`, or the code of the refusal. */
  outcome: z.string(),
});
export type AuditJson = Readonly<z.infer<typeof AuditJson>>;

/** What it answers: the newest first; `next` is null when there are no more. */
export const AuditAnswer = z.object({ rows: z.array(AuditJson), next: z.int().nullable() });
export type AuditAnswer = Readonly<z.infer<typeof AuditAnswer>>;

/** Seconds after which somebody is no longer shown where they were: the page says it again after a third of this. */
export const PRESENCE_SECONDS = 60;

/**
 * The body of `POST /v/NAME/api/presence`: where the caller is in one window; null when it was closed. It answers as `GET` does. The event
 * `presence` of the event stream says that the answer may differ. The operator is nobody, and not shown.
 */
export const PresenceBody = z.strictObject({
  /** `vault/…` */
  path: z.string().nullable(),
  isEditing: z.boolean().default(false),
  /** Tells the windows of one person apart. */
  window: z.string().max(64).default(""),
});
export type PresenceBody = Readonly<z.input<typeof PresenceBody>>;

/** Who is in which note right now, of those that the caller may read: each person once for each note. */
export const PresenceAnswer = z.object({
  people: z.array(
    z.object({
      person: Named,
      /** It is the caller. */
      isSelf: z.boolean(),
      path: z.string(),
      isEditing: z.boolean(),
    }),
  ),
});
export type PresenceAnswer = Readonly<z.infer<typeof PresenceAnswer>>;

/*
 * Documents and forms of browsers: `GET /login?to=/v/NAME/`, `GET /login/oidc?to=…` to the provider, `GET /login/callback` back from it,
 * `GET /invite?code=…` with a form that posts `code` and `name` to `/invite`, `GET /device?code=…` with one that posts `code` to `/device`. The
 * list of vaults at `/` has a form that posts to `/logout`, which leads back to it.
 */
