import { APICallError } from "ai";

import { ExpectedError } from "../vault/errors.ts";
import type { Failure } from "./retry.ts";

/** The answer ended before the model said that it had ended. */
export class BrokenStream extends Error {
  constructor() {
    super("its answer broke off");
    this.name = "BrokenStream";
  }
}

/** Anything but a plain refusal may go better the next time: connections break, servers are busy. */
export function judgeFailure(error: unknown): Failure {
  if (!APICallError.isInstance(error)) {
    const reason = error instanceof BrokenStream ? error.message : "the connection broke";
    return { isTransient: true, reason, retryAfter: null };
  }
  const { statusCode: status, isRetryable } = error;
  const isTransient = isRetryable || status === undefined || status >= 500;
  return { isTransient, reason: reasonOf(status), retryAfter: retryAfter(error.responseHeaders) };
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
