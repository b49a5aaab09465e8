import { problemIn, problemOf } from "../api/problem.ts";
import { CLIENT, send } from "../api/request.ts";

/** Asks the service itself: what is of a person, and of no vault. Throws a `RequestProblem`. */
export async function askService(where: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...CLIENT, ...Object.fromEntries(new Headers(init.headers)) };
  let response: Response;
  try {
    response = await fetch(where, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw problemOf(error);
  }
  if (!response.ok) throw await problemIn(response);
  return response;
}

export function jsonInit(body: unknown): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** Takes something of this vault away: a grant, an invitation, a token. Throws a `RequestProblem`. */
export async function removeFromVault(where: string): Promise<void> {
  await send(where, { method: "DELETE" });
}

/**
 * Ends the login of this browser, and removes what it kept of the vaults: somebody else may log in next.
 * @param isEverywhere the person's other logins end too
 */
export async function logOut(isEverywhere = false): Promise<void> {
  await askService("/api/logout", isEverywhere ? jsonInit({ everywhere: true }) : jsonInit({}));
  for (const key of Object.keys(window.localStorage))
    if (key.endsWith("coffre-recent")) window.localStorage.removeItem(key);
  // After the page itself has kept its list of files for a reload.
  window.addEventListener("pagehide", () => window.sessionStorage.clear());
  window.location.assign("/");
}
