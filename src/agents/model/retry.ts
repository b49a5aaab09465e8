import { setTimeout as pause } from "node:timers/promises";

import { APICallError, JSONParseError } from "ai";

import { errnoOf, ExpectedError } from "../../errors.ts";

/** How often a model is called, and the wait before the second call in milliseconds; it doubles each time. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly firstWait: number;
}

export const DEFAULT_RETRIES: RetryPolicy = { attempts: 6, firstWait: 1000 };

/** Milliseconds, even if a server asks for more. */
const MAX_WAIT = 60_000;

/** `isTransient`: a retry may help. `retryAfter`: milliseconds, if the server says so. */
interface Failure {
  readonly isTransient: boolean;
  readonly reason: string;
  readonly retryAfter: number | null;
}

export interface RetryOptions {
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly onRetry: (retry: { readonly reason: string; readonly wait: number }) => void;
}

/** Retries `work` with exponential backoff while its failures are transient. Throws the last failure, or the signal's reason. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { policy, signal, onRetry }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const { isTransient, reason, retryAfter } = judgeFailure(error);
      if (!isTransient || attempt >= policy.attempts) throw error;
      // With jitter, so that clients that failed together do not retry together.
      const doubled = policy.firstWait * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      const wait = Math.round(Math.min(MAX_WAIT, Math.max(doubled, retryAfter ?? 0)));
      onRetry({ reason, wait });
      await pause(wait, undefined, { signal });
    }
  }
}

/** The answer ended before the model said that it had ended. */
export class BrokenStream extends Error {
  constructor() {
    super("The model's answer broke off.");
    this.name = "BrokenStream";
  }
}

/** Broken connections and busy servers are worth a retry; refusals and invalid answers are not. */
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
  return { isTransient, reason: reasonOf(status), retryAfter: retryAfterOf(error.responseHeaders) };
}

/** Node's `fetch` throws a short `TypeError` with the system's error as its cause. */
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

function retryAfterOf(headers: Readonly<Record<string, string>> | undefined): number | null {
  const milliseconds = Number(headers?.["retry-after-ms"] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const seconds = Number(headers?.["retry-after"] ?? Number.NaN);
  return seconds >= 0 ? seconds * 1000 : null;
}

const MAX_DETAIL_LENGTH = 300;
/** Servers may repeat a key in their error message. */
const KEY_LIKE = /\b(?:sk|key|pk|rk|gsk|xai|AIza)[-_A-Za-z0-9*.]{8,}/gu;

/** The failure for people, without the key and the request. */
export function explainFailure(error: unknown, model: string, key: string | null): ExpectedError {
  const { reason } = judgeFailure(error);
  const detail = APICallError.isInstance(error) ? error.message : "";
  const safe = (key === null ? detail : detail.replaceAll(key, "…")).replaceAll(KEY_LIKE, "…");
  const shown = safe.replaceAll(/\s+/gu, " ").trim().slice(0, MAX_DETAIL_LENGTH);
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  const advice = status === 401 || status === 403 ? " Check its key." : "";
  return new ExpectedError(
    "unavailable",
    `The model ${model} did not answer: ${reason}${shown === "" ? "" : ` (${shown})`}.${advice}`,
  );
}
