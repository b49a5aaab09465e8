/** One call, as every way of calling puts it. */
export interface Call {
  readonly what: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The same in the shell; null where the shell cannot be asked such a thing. */
  readonly shell: readonly string[] | null;
  /** In the answer, so that the call is the one it is called. */
  readonly shows: string;
  /** What the shell says to a refusal, which a person there can do something else about. */
  readonly hint?: string;
}
