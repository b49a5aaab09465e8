import { useState } from "react";

import type { AuditAnswer, AuditJson } from "../../../src/server/team/people/contract.ts";
import { problemOf } from "../../api/problem.ts";
import { showToast } from "../../ui/toasts.tsx";

interface OlderRows {
  readonly rows: readonly AuditJson[];
  readonly hasMore: boolean;
  readonly more: () => Promise<void>;
}

/** The newest rows with older ones below, as far as they were asked for. */
export function useOlderRows(
  newest: AuditAnswer | null,
  load: (before: number) => Promise<AuditAnswer>,
): OlderRows {
  const [older, setOlder] = useState<{
    readonly to: AuditAnswer | null;
    readonly rows: readonly AuditJson[];
    readonly next: number | null;
  }>({ to: null, rows: [], next: null });
  // Those of another person, or from before a reload, are not mixed in.
  const isOlder = older.to === newest;
  const next = (isOlder ? older.next : newest?.next) ?? null;
  return {
    rows: [...(newest?.rows ?? []), ...(isOlder ? older.rows : [])],
    hasMore: next !== null,
    more: async () => {
      if (next === null) return;
      try {
        const found = await load(next);
        setOlder({
          to: newest,
          rows: [...(isOlder ? older.rows : []), ...found.rows],
          next: found.next,
        });
      } catch (error) {
        showToast({ text: problemOf(error).message });
      }
    },
  };
}
