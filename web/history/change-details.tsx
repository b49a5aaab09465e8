import { useMemo, type ReactNode } from "react";

import type { ChangeView, HistoryDetail } from "../../src/server/api/contract.ts";
import { getJson } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { locale, texts } from "../texts/texts.ts";
import { formatBytes } from "../ui/format.ts";
import { NotLoaded } from "../ui/notice.tsx";
import { DiffTable } from "./diff-table.tsx";
import { diffRows } from "./diff-rows.ts";

/** More changes than this are not shown line by line. */
const MOST = 20;

/** What a change did to the content. */
export function ChangeDetails({ id }: { readonly id: string }): ReactNode {
  const { value, problem, reload } = useResource<readonly HistoryDetail[]>(id, async (signal) =>
    getJson(`/api/history/${encodeURIComponent(id)}`, signal),
  );
  if (value === null) {
    return (
      <div className="mt-3 pl-9">
        <NotLoaded problem={problem} onRetry={reload} />
      </div>
    );
  }
  const changes = value.flatMap((entry) => entry.changes);
  return (
    <div className="mt-3 space-y-4 sm:pl-9">
      {changes.slice(0, MOST).map((change) => (
        <OneChange key={`${change.kind} ${change.path}`} change={change} />
      ))}
      {changes.length > MOST ? (
        <p className="text-sm text-muted">{texts.history.more(changes.length - MOST)}</p>
      ) : null}
    </div>
  );
}

/** One file: what was, or would be, done to it. */
export function OneChange({ change }: { readonly change: ChangeView }): ReactNode {
  const { path, to, hunks, note, items } = change;
  const rows = useMemo(() => diffRows(hunks ?? []), [hunks]);
  return (
    <section aria-label={path} className="overflow-hidden rounded-lg border border-line">
      <h3 className="border-b border-line bg-panel px-3 py-1.5 text-xs font-medium [overflow-wrap:anywhere]">
        {to === undefined ? path : `${path} → ${to}`}
      </h3>
      {note === undefined ? null : <p className="px-3 py-2 text-sm text-muted">{note}</p>}
      {rows.length === 0 ? null : <DiffTable rows={rows} />}
      {items === undefined ? null : (
        <ul className="px-3 py-2 text-sm text-muted">
          {items
            .filter(({ kind }) => kind !== "folder")
            .map((item) => (
              <li key={item.path}>
                {item.path} {item.bytes === null ? "" : formatBytes(item.bytes, locale)}
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}
