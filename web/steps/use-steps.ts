import { useEffect, useState } from "react";

import { readEventStream } from "../api/event-stream.ts";
import { send } from "../api/request.ts";
import { withEvent, type Step } from "./steps.ts";

/** What the agent does for an update, as it does it, while `isWanted`. */
export function useSteps(id: string, isWanted: boolean): readonly Step[] {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  useEffect(() => {
    if (!isWanted) return;
    const abort = new AbortController();
    const follow = async (): Promise<void> => {
      const headers = { accept: "text/event-stream" };
      const response = await send(`/api/updates/${id}`, { headers, signal: abort.signal });
      for await (const { name, data } of readEventStream(response)) {
        if (name !== "answer" && name !== "problem") {
          setSteps((before) => withEvent(before, JSON.parse(data)));
        }
      }
    };
    // The end of the update is shown by its card.
    follow().catch(() => {});
    return () => abort.abort();
  }, [id, isWanted]);
  return steps;
}
