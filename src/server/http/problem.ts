import { STATUS_OF, type ErrorCode, type ExpectedError } from "../../errors.ts";

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

/** What callers learn of an unexpected error: the log has its stack. */
export const INTERNAL_ERROR = {
  code: "unavailable",
  message: "Internal error; see the log.",
} as const;

/** For callers that ask too often. @param wait milliseconds after which they may ask again */
export function tooManyResponse(wait: number): Response {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  const detail = `Too many calls. Wait ${seconds} s, and go on more slowly.`;
  const response = respond({ code: "busy", detail, status: 429 });
  response.headers.set("retry-after", String(seconds));
  return response;
}

export function bugResponse(): Response {
  const { code, message: detail } = INTERNAL_ERROR;
  return respond({ code, detail, status: 500 });
}

/** As `STATUS_CODES` of `node:http` has them, which would take longer to load than a command. */
const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  413: "Payload Too Large",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
  507: "Insufficient Storage",
};

function respond(facts: Omit<Problem, "title">): Response {
  const problem: Problem = { title: TITLES[facts.status] ?? "Error", ...facts };
  return new Response(`${JSON.stringify(problem)}\n`, {
    status: facts.status,
    headers: { "content-type": "application/problem+json" },
  });
}
