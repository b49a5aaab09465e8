import type { Client } from "@modelcontextprotocol/client";

/** One reader's way into one vault. */
export interface Reader {
  /** `http://…/v/NAME`. */
  readonly vault: string;
  readonly token: string;
  /** Of the same person: one that may only read, and one for a folder. */
  readonly lesser: readonly string[];
  /** An update that somebody else handed over. */
  readonly othersUpdate: string;
  /** MCP clients by the last part of their address, of both ages of the protocol. */
  readonly mcp: Readonly<Record<string, Client>>;
}

/** What is tried: the same in both vaults. */
export interface Tried {
  readonly what: string;
  readonly ask: (reader: Reader) => Promise<string>;
}

export async function http(
  { vault, token }: Pick<Reader, "vault" | "token">,
  method: string,
  address: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await fetch(`${vault}${address}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return `${answer.status} ${answer.headers.get("content-type")} ${await answer.text()}`;
}
