import { useState, type ReactNode } from "react";

import type { HistoryItem } from "../../src/server/api/contract.ts";
import { address, getJson } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { Link } from "../app/link.tsx";
import { fileAddress, historyAddress } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Empty, NotLoaded } from "../ui/notice.tsx";
import { View } from "../ui/view.tsx";
import { HistoryEntry } from "./history-entry.tsx";
import { HistoryRun } from "./history-run.tsx";
import { runsOf } from "./runs.ts";

const PAGE = 30;
const MOST = 1000;

/** What was changed last, in the whole vault or in one file. */
export function HistoryView({ path }: { readonly path: string | null }): ReactNode {
  const [limit, setLimit] = useState(PAGE);
  const { value, problem, reload } = useResource<readonly HistoryItem[]>(
    // With more to show, what is shown stays until the rest came.
    `history ${path ?? ""}`,
    async (signal) => getJson(address("/api/history", { path: path ?? undefined, limit }), signal),
    ({ type }) => type === "file" || type === "update",
  );
  const older = (): void => {
    setLimit(Math.min(MOST, limit * 3));
    reload();
  };
  return (
    <View header={<Heading path={path} />}>
      {value === null ? (
        <NotLoaded problem={problem} onRetry={reload} />
      ) : value.length === 0 ? (
        <Empty icon="history" title={texts.history.empty}>
          {texts.history.emptyHint}
        </Empty>
      ) : (
        <>
          <ol className="divide-y divide-line border-y border-line">
            {runsOf(value).map((run) =>
              run.isBatch ? (
                <HistoryRun key={run.id} run={run} onUndone={reload} />
              ) : (
                <HistoryEntry
                  key={run.id}
                  item={run.items[0]}
                  undoneActor={value.find(({ id }) => id === run.items[0].undoes)?.actor}
                  onUndone={reload}
                />
              ),
            )}
          </ol>
          {value.length < limit || limit >= MOST ? null : (
            <Button className="mt-4" onClick={older}>
              {texts.history.older}
            </Button>
          )}
        </>
      )}
    </View>
  );
}

function Heading({ path }: { readonly path: string | null }): ReactNode {
  if (path === null) {
    return <h1 className="text-2xl font-semibold tracking-tight">{texts.history.title}</h1>;
  }
  return (
    <>
      <h1 className="min-w-0 flex-1 text-lg font-semibold [overflow-wrap:anywhere]">
        {texts.history.of}{" "}
        <Link to={fileAddress(path)} className="text-accent hover:underline">
          {path}
        </Link>
      </h1>
      <Link
        to={historyAddress()}
        className="rounded text-sm text-muted hover:text-accent hover:underline"
      >
        {texts.history.all}
      </Link>
    </>
  );
}
