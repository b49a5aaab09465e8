import { APICallError, JSONParseError } from "ai";

import { errnoOf, ExpectedError } from "../../errors.ts";
import type { Failure } from "./retry.ts";

/** The answer ended before the model said that it had ended. */
export class BrokenStream extends Error {
  constructor() {
    super("The model's answer broke off.");
    this.name = "BrokenStream";
  }
}

/** What may go better the next time: connections break, servers are busy. What was refused, or cannot be understood, will not. */
export function judgeFailure(error: unknown): Failure {
  if (!APICallError.isInstance(error)) {
    const isCut = error instanceof BrokenStream || JSONParseError.isInstance(error);
    const isTransient = isCut || isConnectionError(error);
    const why = isCut ? "its answer broke off" : "the connection broke";
    const reason = isTransient ? why : "its answer could not be understood";
    return { isTransient, reason, retryAfter: null };
  }
  const { statusCode: status, isRetryable } = error;
  const isTransient = isRetryable || status === undefined || status >= 500;
  return { isTransient, reason: reasonOf(status), retryAfter: retryAfter(error.responseHeaders) };
}

/** As Node's fetch reports it: a `TypeError` of few words, with the system's error as its cause. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (/^(?:E[A-Z_]+|UND_ERR_\w+)$/u.test(errnoOf(error) ?? "")) return true;
  return (
    /^(?:terminated|fetch failed|network error)$/iu.test(error.message) ||
    isConnectionError(error.cause)
  );
}

function reasonOf(status: number | undefined): string {
  if (status === undefined) return "it could not be reached";
  return status < 400 ? "its answer broke off" : `it answered ${status}`;
}

/** Milliseconds, from the headers that say so. */
function retryAfter(headers: Readonly<Record<string, string>> | undefined): number | null {
  const milliseconds = Number(headers?.["retry-after-ms"] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const seconds = Number(headers?.["retry-after"] ?? Number.NaN);
  return seconds >= 0 ? seconds * 1000 : null;
}

const LONGEST_DETAIL = 300;
/** What keys look like, for servers that repeat them in their complaint. */
const KEY_LIKE = /\b(?:sk|key|pk|rk|gsk|xai|AIza)[-_A-Za-z0-9*.]{8,}/gu;

/** The failure for people, without a key and without what was sent. */
export function explainFailure(error: unknown, model: string, key: string | null): ExpectedError {
  const { reason } = judgeFailure(error);
  const detail = APICallError.isInstance(error) ? error.message : "";
  const safe = (key === null ? detail : detail.replaceAll(key, "…")).replaceAll(KEY_LIKE, "…");
  const shown = safe.replaceAll(/\s+/gu, " ").trim().slice(0, LONGEST_DETAIL);
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  const advice = status === 401 || status === 403 ? " Check its key." : "";
  return new ExpectedError(
    "unavailable",
    `The model ${model} did not answer: ${reason}${shown === "" ? "" : ` (${shown})`}.${advice}`,
  );
}
