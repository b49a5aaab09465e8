import type { VaultPath } from "../vault/paths.ts";

/** Where files are put to be ingested. They leave it by themselves. */
export const DROP_FOLDER: VaultPath = "drop";
