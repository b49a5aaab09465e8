import { ExpectedError } from "../../errors.ts";

/** Thrown when a file changed after its new content was computed: compute it again. */
export class ChangedMeanwhile extends ExpectedError {
  /** @param shown what changed, as it is shown */
  constructor(shown: string) {
    super("conflict", `${shown} was changed by another program just now; read it again.`);
  }
}

/** Retries `work`, up to ten times, when another program changed the file meanwhile. */
export async function retryWhenChanged<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || attempt === 10) throw error;
    }
  }
}
