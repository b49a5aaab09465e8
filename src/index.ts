/** The library: a vault, its nine tools, and an index to search it with. */
export { createVault } from "./vault/vault.ts";
export type { Vault, VaultOptions, VaultReader } from "./vault/vault.ts";
export { initVault, makeVaultFolder } from "./vault/init.ts";
export { ExpectedError } from "./vault/errors.ts";
export type { ErrorCode } from "./vault/errors.ts";
export type { Change, HistoryEntry } from "./vault/history-types.ts";
export { callTool } from "./tools/call.ts";
export type { CallContext, CallResult } from "./tools/call.ts";
export type { Profile, Tool, ToolContent } from "./tools/define.ts";
export { allTools, inputSchema, toolsOf } from "./tools/registry.ts";
export { createSession } from "./tools/session.ts";
export type { Session } from "./tools/session.ts";
export { MemoryIndex } from "./index/memory-index.ts";
export { fillIndex } from "./index/fill-index.ts";
export type { SearchIndex } from "./index/search-index.ts";
