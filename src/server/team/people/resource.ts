import { profileTools } from "../../../tools/registry.ts";

const VAULT = /^\/v\/[a-z0-9-]{1,63}$/u;
const SERVER = /^(\/v\/[a-z0-9-]{1,63})\/mcp\/([a-z]+)$/u;
const SERVERS = new Set([...Object.keys(profileTools), "memory"]);

/** Whether an address is one that a token can be made for: the service, a vault, or one of its MCP servers. */
export function isResource(path: string): boolean {
  return path === "" || VAULT.test(path) || serverOf(path) !== null;
}

/** The MCP server that a request asks, and its vault: paths without the address of the service; null for anything else. */
export function serverOf(path: string): { readonly server: string; readonly vault: string } | null {
  const [server, vault = "", profile = ""] = SERVER.exec(path) ?? [];
  return server === undefined || !SERVERS.has(profile) ? null : { server, vault };
}
