import { isIP } from "node:net";
import { hostname } from "node:os";

/** Where a server listens on TCP. */
export interface TcpAddress {
  /** As it was asked for: a name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
}

const HTTP_PORT = 80;

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Whether it means all addresses of this machine. */
function isEverywhere(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** What to type on this machine to reach it, without a final slash. */
export function addressUrl({ host, port }: TcpAddress): string {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${withPort(reached, port)}`;
}

/**
 * Whether a `Host` header names this server. Another site can make its own name resolve to this machine (DNS rebinding), but
 * cannot change the `Host` header; so a server on all addresses accepts any IP address, and this machine's name.
 */
export function isReachedAs(header: string, { host, port }: TcpAddress): boolean {
  const given = header.toLowerCase();
  const names = [
    "127.0.0.1",
    "localhost",
    "::1",
    host,
    ...(isEverywhere(host) ? [hostname()] : []),
  ];
  if (names.some((name) => given === withPort(name, port).toLowerCase())) return true;
  return isEverywhere(host) && isNumber(given, port);
}

function isNumber(given: string, port: number): boolean {
  const end = port === HTTP_PORT ? "" : `:${port}`;
  if (!given.endsWith(end)) return false;
  const name = given.slice(0, given.length - end.length);
  return isIP(name) === 4 || (/^\[.*\]$/u.test(name) && isIP(name.slice(1, -1)) === 6);
}

/** As browsers write it. */
function withPort(host: string, port: number): string {
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  return port === HTTP_PORT ? shown : `${shown}:${port}`;
}
