import { STATUS_CODES } from "node:http";

import type { ErrorCode, ExpectedError } from "../../errors.ts";

/** The HTTP status for each of our codes. */
const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  already_exists: 409,
  ambiguous: 409,
  busy: 503,
  conflict: 409,
  disk_full: 507,
  invalid_argument: 400,
  no_match: 422,
  no_permission: 403,
  not_a_file: 400,
  not_a_folder: 400,
  not_found: 404,
  not_text: 422,
  outside_vault: 400,
  protected: 403,
  too_large: 413,
  unavailable: 503,
  unknown_tool: 404,
};

/** On an answer to a request that was rejected before any work, because the server is closing: it is safe to retry. */
export const NOT_BEGUN_HEADER = "coffre-not-begun";

/** An error as in RFC 9457, with our own `code`. The type is the default of the RFC, `about:blank`. */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
}

export function problemResponse({
  code,
  message,
}: Pick<ExpectedError, "code" | "message">): Response {
  return respond({ code, detail: message, status: STATUS_OF[code] });
}

/** For requests without a valid token: `challenge` tells programs how to send one. */
export function unauthorizedResponse(message: string, challenge: string): Response {
  const response = respond({ code: "no_permission", detail: message, status: 401 });
  response.headers.set("www-authenticate", challenge);
  return response;
}

/** For unexpected errors: the log has their stack. */
export function bugResponse(): Response {
  return respond({ code: "unavailable", detail: "Internal error; see the log.", status: 500 });
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(STATUS_OF, code);
}

function respond(facts: Omit<Problem, "title">): Response {
  const problem: Problem = { title: STATUS_CODES[facts.status] ?? "Error", ...facts };
  return new Response(`${JSON.stringify(problem)}\n`, {
    status: facts.status,
    headers: { "content-type": "application/problem+json" },
  });
}
