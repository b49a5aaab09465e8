import { ExpectedError, type ErrorCode } from "../errors.ts";

/** The code of the {@link ExpectedError} that `work` ends with, or `done`. Anything else it throws is a bug, and is thrown on. */
export async function codeOf(work: () => unknown): Promise<ErrorCode | "done"> {
  return (await refusalOf(work))?.code ?? "done";
}

/** The {@link ExpectedError} that `work` ends with; null when it succeeds. */
export async function refusalOf(work: () => unknown): Promise<ExpectedError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof ExpectedError) return error;
    throw error;
  }
}
