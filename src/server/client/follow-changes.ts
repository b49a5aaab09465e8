import { setTimeout as pause } from "node:timers/promises";

import type { FileChanges } from "../api/contract.ts";
import { answerSchemas } from "./answers.ts";
import { OwnerGoneError, type Transport } from "./transport.ts";

/** Null: anything may have changed. */
export type ChangeListener = (changes: FileChanges | null) => void;

/** Milliseconds between two attempts to follow the events of a service that ended. */
const RECONNECT_DELAY = 50;

/** Reports what changes in a vault until the signal is aborted, also when another process becomes its owner. */
export async function followChanges(
  transport: Pick<Transport, "listen">,
  listener: ChangeListener,
  signal: AbortSignal,
): Promise<void> {
  const call = { method: "GET", path: "/api/events", signal, isRepeatable: false } as const;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      for await (const { name, data } of transport.listen(call)) {
        if (name === "file") {
          // Not loaded before it listens: what changes meanwhile would be missed.
          const { FileChanges: Changes } = await answerSchemas();
          listener(Changes.safeParse(JSON.parse(data)).data ?? null);
        } else if (name === "resync" || (name === "open" && !isFirst)) listener(null);
      }
    } catch (error) {
      // A transport without another owner to turn to has nothing more to report.
      if (!(error instanceof OwnerGoneError)) return;
    }
    await pause(RECONNECT_DELAY, undefined, { ref: false });
  }
}
