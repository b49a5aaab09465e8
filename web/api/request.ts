import { BASE } from "./base.ts";
import { problemIn, problemOf } from "./problem.ts";

/** In the history of the vault, what is done here is done by `page`. */
export const CLIENT = { "coffre-client": "page" };

/** An address of the vault, after its {@link BASE}; what is undefined is left out. */
export function address(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Where the bytes of a file of the vault are. */
export function rawAddress(path: string): string {
  return BASE + address("/api/raw", { path });
}

/**
 * Asks the service. Page and service come from one package, so an answer is what the contract says it is.
 * Throws a `RequestProblem`.
 */
export async function getJson<T>(where: string, signal?: AbortSignal): Promise<T> {
  const response = await send(where, signal === undefined ? {} : { signal });
  return response.json();
}

export async function postJson<T>(where: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await send(where, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  return response.json();
}

/** Throws a `RequestProblem`, and what `fetch` throws when it is called off. */
export async function send(where: string, init: RequestInit): Promise<Response> {
  const headers = { ...CLIENT, ...Object.fromEntries(new Headers(init.headers)) };
  let response: Response;
  try {
    response = await fetch(BASE + where, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw problemOf(error);
  }
  if (!response.ok) throw await problemIn(response);
  return response;
}
