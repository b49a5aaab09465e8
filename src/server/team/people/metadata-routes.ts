import { Hono, type Context } from "hono";

import { resourceMetadata } from "../../../team/identity/challenge.ts";
import { notHere } from "../guarded-app.ts";
import { baseOf } from "../callers.ts";
import { isResource } from "./resource.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/**
 * Where clients of MCP find whom to log in with (RFC 9728), of each address that has such a document: the service, a vault, its MCP servers.
 * Whether there is a vault of a name is not said.
 * @param issuer of the login provider; null when there is none
 */
export function metadataRoutes(publicUrl: URL | null, issuer: string | null): Hono {
  const app = new Hono();
  const answer = (c: Context): Response => {
    const path = c.req.path.slice(WELL_KNOWN.length);
    if (!isResource(path)) return notHere(c);
    return c.json(resourceMetadata(`${baseOf(c, publicUrl)}${path}`, issuer));
  };
  app.get(WELL_KNOWN, answer);
  app.get(`${WELL_KNOWN}/*`, answer);
  return app;
}
