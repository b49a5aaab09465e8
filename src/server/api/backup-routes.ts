import { Readable } from "node:stream";

import type { Hono } from "hono";

import { archiveOf } from "../../backup/archive.ts";
import type { LocalVault } from "../../vault/vault.ts";

/** What only processes of this user on this machine may ask for: it gives away settings, or removes for good. */
export const LOCAL_ONLY = ["/api/backup", "/api/forget"];

/** `POST /api/backup`: the vault and what belongs to it, as a tar archive that the caller encrypts. */
export function addBackupRoutes(app: Hono, vault: LocalVault, now: () => Date): void {
  app.post("/api/backup", () => {
    const archive = Readable.toWeb(Readable.from(archiveOf(vault, now())));
    return new Response(archive, { headers: { "content-type": "application/x-tar" } });
  });
}
