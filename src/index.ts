/** The library: a vault, its nine tools, an index to search it with, and the service that keeps them right. */
export { createVault } from "./vault/vault.ts";
export type { LocalVault, Vault, VaultOptions, VaultReader } from "./vault/vault.ts";
export { initVault, makeVaultFolder } from "./vault/init.ts";
export { ExpectedError } from "./errors.ts";
export type { ErrorCode } from "./errors.ts";
export type { Change, HistoryEntry } from "./vault/history/history-types.ts";
export { callTool } from "./tools/call.ts";
export type { CallContext, CallResult } from "./tools/call.ts";
export type { Profile, Tool, ToolContent } from "./tools/define.ts";
export { allTools, inputSchema, toolsOf } from "./tools/registry.ts";
export { createSession } from "./tools/session.ts";
export type { Session } from "./tools/session.ts";
export { createIndex, MemoryIndex } from "./index/create-index.ts";
export type { IndexOptions } from "./index/create-index.ts";
export { createService } from "./compose.ts";
export type { Service, ServiceOptions } from "./compose.ts";
export { fillIndex } from "./index/fill-index.ts";
export type { IndexReader, SearchIndex } from "./index/search-index.ts";
