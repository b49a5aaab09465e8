import { setTimeout as pause } from "node:timers/promises";

/** How often a model is asked before it is given up, and how long to wait, in milliseconds, before the second time. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly firstWait: number;
}

export const PATIENT: RetryPolicy = { attempts: 6, firstWait: 1000 };

/** However long a server asks for, in milliseconds. */
const LONGEST_WAIT = 60_000;

/** What is known of a failure: whether another try may help, and how long the other side asks to wait. */
export interface Failure {
  readonly isTransient: boolean;
  readonly reason: string;
  readonly retryAfter: number | null;
}

export interface RetryOptions {
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly judge: (error: unknown) => Failure;
  readonly onRetry: (retry: { readonly reason: string; readonly wait: number }) => void;
}

/** Tries `work` until it succeeds, fails for good, or was tried often enough; waits twice as long each time. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { policy, signal, judge, onRetry }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const { isTransient, reason, retryAfter } = judge(error);
      if (!isTransient || attempt >= policy.attempts) throw error;
      // Many clients that were refused together must not come back together.
      const doubled = policy.firstWait * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      const wait = Math.round(Math.min(LONGEST_WAIT, Math.max(doubled, retryAfter ?? 0)));
      onRetry({ reason, wait });
      await pause(wait, undefined, { signal });
    }
  }
}
