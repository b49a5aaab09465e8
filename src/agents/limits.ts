/** What one run may take. */
export interface RunLimits {
  /** Turns of the model. */
  readonly steps: number;
  /** Tokens read and written by the model, over all turns. */
  readonly tokens: number;
  /** Milliseconds. */
  readonly time: number;
}

export const DEFAULT_LIMITS: RunLimits = { steps: 40, tokens: 600_000, time: 10 * 60_000 };

/** Which of them a run has used up. */
export type ReachedLimit = keyof RunLimits;

export function explainLimit(reached: ReachedLimit, limits: RunLimits): string {
  switch (reached) {
    case "steps":
      return `the limit of ${limits.steps} steps was reached`;
    case "tokens":
      return `the limit of ${limits.tokens} tokens was reached`;
    case "time":
      return `the limit of ${Math.round(limits.time / 1000)} seconds was reached`;
  }
}
