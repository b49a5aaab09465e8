import { SCOPES } from "../rights/rights.ts";

/** Why a caller is refused, as RFC 6750 names it. */
export type ChallengeReason = "missing" | "invalid_token" | "insufficient_scope";

/** A refusal of who calls: the status, and the header `WWW-Authenticate` that tells a client where to log in (RFC 9728). */
export class Challenge extends Error {
  readonly status: 401 | 403;
  readonly reason: ChallengeReason;
  readonly header: string;

  /** @param metadata the address of the protected resource's metadata */
  constructor(reason: ChallengeReason, metadata: string) {
    super(
      reason === "insufficient_scope"
        ? "This credential may not do that."
        : "Log in, or send a valid token.",
    );
    this.name = "Challenge";
    this.reason = reason;
    this.status = reason === "insufficient_scope" ? 403 : 401;
    const error = reason === "missing" ? [] : [`error="${reason}"`];
    const parts = [...error, `resource_metadata="${metadata}"`, `scope="${SCOPES.join(" ")}"`];
    this.header = `Bearer ${parts.join(", ")}`;
  }
}

/** Where the metadata of a resource is, by RFC 9728: before its path. */
export function metadataAddress(resource: string): string {
  const url = new URL(resource);
  const path = url.pathname === "/" ? "" : url.pathname;
  return `${url.origin}/.well-known/oauth-protected-resource${path}`;
}

/** What a vault says of itself to a client that wants to log in. */
export function resourceMetadata(resource: string, issuer: string | null): object {
  return {
    resource,
    ...(issuer === null ? {} : { authorization_servers: [issuer] }),
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "coffre",
  };
}
