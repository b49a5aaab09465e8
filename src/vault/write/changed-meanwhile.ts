import { ExpectedError } from "../../errors.ts";

/** Thrown when a file is no longer what it was when its change was worked out: work it out again. */
export class ChangedMeanwhile extends ExpectedError {
  /** @param shown what changed, as it is shown */
  constructor(shown: string) {
    super("conflict", `${shown} was changed by another program just now; read it again.`);
  }
}

/** Tries `work` again when another program changed the file in between; gives up after a few times. */
export async function retryWhenChanged<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || attempt === 10) throw error;
    }
  }
}
