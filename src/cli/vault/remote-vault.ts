import { nonEmpty } from "../../config.ts";
import { errnoOf, ExpectedError, messageOf } from "../../errors.ts";
import { appTransport } from "../../server/client/transport.ts";
import { VaultClient } from "../../server/client/vault-client.ts";
import { UsageError, type CommandContext } from "../table/command.ts";
import type { ReachedVault } from "./with-vault.ts";

/** The vault at the address of a service, for whoever has the token in COFFRE_TOKEN. */
export function remoteVault(
  address: string,
  { environment, screen }: Pick<CommandContext, "environment" | "screen">,
): ReachedVault {
  const base = checkedAddress(address);
  const token = nonEmpty(environment["COFFRE_TOKEN"]);
  if (token === undefined)
    throw new ExpectedError(
      "invalid_argument",
      `${base} needs a token: put a personal one, made in Settings of the page, into COFFRE_TOKEN.`,
    );
  const fetch = async (request: Request): Promise<Response> => ask(base, token, request);
  const client = new VaultClient(appTransport({ fetch }));
  return { client, place: { root: base, state: "" }, owner: null, isServed: true, screen };
}

/** The address of a vault, without a final slash. */
function checkedAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isWhole = url !== null && url.search === "" && url.hash === "" && url.username === "";
  if (!isWhole)
    throw new UsageError(
      `--vault takes a folder, or the address of a vault as https://notes.example.com/v/house, not ${address}.`,
    );
  const isOwnMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(url.hostname);
  if (url.protocol !== "https:" && !isOwnMachine)
    throw new UsageError(
      `Over http, others could read the token on its way to ${url.host}: give its https address.`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/u, "")}`;
}

async function ask(base: string, token: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${token}`);
  const body = request.method === "GET" ? null : await request.arrayBuffer();
  let response: Response;
  try {
    const { method, signal } = request;
    // What is elsewhere was not named, and must not get the token.
    const sent = { method, headers, body, signal, redirect: "manual" } as const;
    response = await fetch(`${base}${pathname}${search}`, sent);
  } catch (error) {
    request.signal.throwIfAborted();
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const why = errnoOf(cause) ?? messageOf(cause);
    throw new ExpectedError("unavailable", `${base} does not answer (${why}).`, { cause: error });
  }
  const type = response.headers.get("content-type") ?? "";
  const isOurs = response.status < 300 || /\bjson\b/u.test(type);
  if (isOurs) return response;
  await response.body?.cancel();
  throw new ExpectedError(
    "unavailable",
    `${base} answered ${response.status}, and not as a vault does: check the address.`,
  );
}
