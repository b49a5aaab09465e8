import { z } from "zod";

import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { BegunSession, McpSessionStore } from "../mcp/mcp-sessions.ts";

const Headers = z.record(z.string(), z.string());
/** Not kept: who may come in is decided at every request. */
const SECRET = new Set(["authorization", "cookie"]);

/**
 * The MCP sessions of a vault in PostgreSQL, for the clients of one profile.
 * @param person whose they are: for anybody else they do not exist; null for those of whoever runs the service
 */
export function mcpSessionRows(
  database: Postgres,
  vault: number,
  profile: string,
  person: string | null,
): McpSessionStore {
  const key = [vault, profile, person];
  return {
    save: async (id, { url, headers, body }) => {
      const kept = Object.entries(headers).filter(([name]) => !SECRET.has(name.toLowerCase()));
      await database.execute(
        "INSERT INTO mcp_sessions (vault, profile, person, id, url, headers, body) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        [...key, id, url, JSON.stringify(Object.fromEntries(kept)), body],
      );
    },
    load: async (id): Promise<BegunSession | null> => {
      const row = await database.one(
        "UPDATE mcp_sessions SET used = now() WHERE vault = $1 AND profile = $2 AND person IS NOT DISTINCT FROM $3 AND id = $4 RETURNING url, headers, body",
        [...key, id],
      );
      if (row === null) return null;
      const headers = Headers.parse(JSON.parse(String(row["headers"])));
      return { url: String(row["url"]), headers, body: String(row["body"]) };
    },
    has: async (id) => {
      const mine = "vault = $1 AND profile = $2 AND person IS NOT DISTINCT FROM $3 AND id = $4";
      const row = await database.one(
        `WITH used AS (UPDATE mcp_sessions SET used = now() WHERE ${mine} AND used < now() - interval '1 hour')
         SELECT 1 FROM mcp_sessions WHERE ${mine}`,
        [...key, id],
      );
      return row !== null;
    },
    remove: async (id) => {
      await database.execute(
        "DELETE FROM mcp_sessions WHERE vault = $1 AND profile = $2 AND person IS NOT DISTINCT FROM $3 AND id = $4",
        [...key, id],
      );
    },
  };
}
