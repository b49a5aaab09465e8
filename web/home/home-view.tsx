import { lazy, Suspense, useMemo, useState, type ReactNode } from "react";

import type { ShownFile, TreeEntry } from "../../src/server/api/contract.ts";
import { address, getJson } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { useResource } from "../api/use-resource.ts";
import { Link } from "../app/link.tsx";
import { fileAddress, inboxAddress } from "../app/addresses.ts";
import { FileText } from "../file/file-text.tsx";
import { touches } from "../file/file-view.tsx";
import { useInbox } from "../inbox/use-inbox.ts";
import { texts } from "../texts/texts.ts";
import { latest } from "../tree/file-list.ts";
import { folderOf, nameOf, ROOT } from "../tree/paths.ts";
import { NotLoaded } from "../ui/notice.tsx";
import { TickedText } from "../ui/ticked-text.tsx";
import { TimeAgo } from "../ui/time-ago.tsx";
import { View } from "../ui/view.tsx";
import { FirstSteps } from "./first-steps.tsx";

const OVERVIEW = "vault/overview.md";
const MOST_RECENT = 6;

/** Loaded where there is something to adopt. */
const AdoptCard = lazy(async () => ({ default: (await import("./adopt-card.tsx")).AdoptCard }));

/** Where the page begins: the vault's own overview, what waits, and what just changed. */
export function HomeView(): ReactNode {
  const { status } = useServices();
  const frontmatter = useStore(status.status)?.frontmatter;
  const [hasCard, setHasCard] = useState(false);
  const isForeign = frontmatter?.setting === "own" && !frontmatter.chosen;
  // It stays after the choice, which it says the outcome of.
  if (isForeign && !hasCard) setHasCard(true);
  return (
    <View header={null} isWide>
      {hasCard ? (
        <Suspense>
          <AdoptCard />
        </Suspense>
      ) : null}
      <div className="grid gap-x-14 gap-y-10 xl:grid-cols-[minmax(0,1fr)_16rem]">
        <Overview />
        <div className="grid content-start gap-8 sm:grid-cols-2 xl:grid-cols-1">
          <Waiting />
          <Recent />
        </div>
      </div>
    </View>
  );
}

/** Asked for only when it is there: a vault of somebody else's has none, and looking for it costs the service a search for near names. */
function Overview(): ReactNode {
  const { tree } = useServices();
  const root = useStore(tree.root);
  const problem = useStore(tree.problem);
  if (root === null) return <NotLoaded problem={problem} onRetry={() => void tree.start()} />;
  const isThere = root.children?.some(({ path }) => path === OVERVIEW) === true;
  return isThere ? <OverviewText root={root} /> : <FirstSteps root={root} />;
}

function OverviewText({ root }: { readonly root: TreeEntry }): ReactNode {
  const { value, problem, reload } = useResource<ShownFile>(
    OVERVIEW,
    async (signal) => getJson(address("/api/file", { path: OVERVIEW }), signal),
    (event) => touches(event, OVERVIEW),
  );
  if (problem?.code === "not_found") return <FirstSteps root={root} />;
  if (value !== null)
    return <FileText file={value} lines={null} anchor={null} isNumbered={false} />;
  return <NotLoaded problem={problem} onRetry={reload} />;
}

function Waiting(): ReactNode {
  const { value } = useInbox();
  if (value === null) return null;
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold text-muted">{texts.home.waiting}</h2>
      {value.items.length === 0 ? (
        <p className="text-sm text-muted">{texts.home.nothingWaits}</p>
      ) : (
        <ul className="space-y-2">
          {value.items.map(({ ref, title, question }) => (
            <li key={ref}>
              <Link
                to={inboxAddress(ref)}
                className="block rounded-lg border border-line bg-raised px-3.5 py-2.5 hover:border-strong-line"
              >
                <span className="block font-medium">
                  <TickedText text={title} />
                </span>
                {question === null ? null : (
                  <span className="mt-0.5 block text-sm text-muted">
                    <TickedText text={question} />
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Recent(): ReactNode {
  const { files } = useServices();
  const listed = useStore(files.files);
  const recent = useMemo(() => latest(listed ?? [], MOST_RECENT), [listed]);
  if (recent.length === 0) return null;
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold text-muted">{texts.home.recent}</h2>
      <ul className="space-y-0.5">
        {recent.map(({ path, changed }) => (
          <li key={path}>
            <Link
              to={fileAddress(path)}
              className="-mx-2 flex items-baseline gap-3 rounded-md px-2 py-1 text-sm hover:bg-code"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate">{nameOf(path)}</span>
                <span className="block truncate text-xs text-muted">
                  {folderOf(path).slice(ROOT.length)}
                </span>
              </span>
              <span className="shrink-0 text-xs text-muted">
                {changed === null ? null : <TimeAgo at={changed} />}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
