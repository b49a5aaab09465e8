import { STATUS_CODES } from "node:http";

import type { ErrorCode, ExpectedError } from "../../errors.ts";

/** The HTTP status that says the same as our code, for clients that know only those. */
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

/** An error as RFC 9457 has it; `code` is ours. The type is the RFC's default: the status says it, the detail explains. */
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

/** For callers that do not show who they are, or not rightly: `challenge` tells programs how to. */
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
