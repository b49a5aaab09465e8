import type { ReactNode } from "react";

import type { Status } from "../../src/server/api/contract.ts";
import { IS_TEAM } from "../api/access.ts";
import { Said } from "../texts/said.tsx";
import { locale, texts } from "../texts/texts.ts";
import { formatTokens } from "../ui/format.ts";

type Health = "good" | "busy" | "bad" | "none";

const COLOURS: Readonly<Record<Health, string>> = {
  good: "bg-accent",
  busy: "bg-accent animate-breathe",
  bad: "bg-danger",
  none: "border border-strong-line",
};

/**
 * How index, watcher and model are, in a line each.
 * @param most the most files that were pending since none was
 */
export function StatusPanel({
  status,
  most,
}: {
  readonly status: Status | null;
  readonly most: number;
}): ReactNode {
  return (
    <section
      aria-label={texts.status.label}
      className="space-y-1 border-t border-line px-4 py-3 text-xs text-muted"
    >
      {status === null ? (
        <p>{texts.loading}</p>
      ) : (
        linesOf(status, most).map(({ name, health, text, progress }) => (
          <div key={name}>
            <p className="flex items-baseline gap-2">
              <span
                className={`size-1.5 shrink-0 -translate-y-px rounded-full ${COLOURS[health]}`}
              />
              <span>{text}</span>
            </p>
            {progress === undefined ? null : (
              <progress
                aria-label={progress.label}
                className="h-1 w-full accent-accent"
                value={progress.done}
                max={progress.total}
              />
            )}
          </div>
        ))
      )}
    </section>
  );
}

interface StatusLine {
  readonly name: string;
  readonly health: Health;
  readonly text: ReactNode;
  readonly progress?: { readonly label: string; readonly done: number; readonly total: number };
}

function linesOf(
  { index, watcher, model, spent, queue, alarms, tidy }: Status,
  most: number,
): StatusLine[] {
  const underWay = queue.waiting + queue.running;
  const isWatching = watcher.alive && watcher.unwatched === 0;
  return [
    indexLine(index, most),
    // A database has no files that other programs could change.
    ...(IS_TEAM
      ? []
      : [
          {
            name: "watcher",
            health: isWatching ? ("good" as const) : ("bad" as const),
            text: isWatching ? texts.status.watching : texts.status.notWatching,
          },
        ]),
    modelLine(model),
    ...spentLines(spent),
    ...(tidy.daily ? [{ name: "tidy", health: "good" as const, text: texts.status.tidy }] : []),
    ...(underWay === 0
      ? []
      : [{ name: "queue", health: "busy" as const, text: texts.status.queue(underWay) }]),
    ...alarms.map((text) => ({ name: text, health: "bad" as const, text: <Said text={text} /> })),
  ];
}

/** A bar only when there is much to do: a single file is indexed before one could see it. */
const MANY = 100;

function indexLine({ files, pending, total = files }: Status["index"], most: number): StatusLine {
  if (total - files > MANY) {
    const text = texts.status.indexing(files, total);
    return { name: "index", health: "busy", text, progress: { label: text, done: files, total } };
  }
  if (pending > 0) {
    const text = texts.status.pending(pending);
    const progress = { label: text, done: most - pending, total: most };
    return { name: "index", health: "busy", text, ...(most > MANY ? { progress } : {}) };
  }
  return { name: "index", health: "good", text: texts.status.index(files) };
}

/** What models used up today, once they did, or when there is a limit. */
const tokens = (count: number): string => formatTokens(count, locale);

function spentLines(spent: Status["spent"]): StatusLine[] {
  if (spent === null) return [];
  const used = spent.input + spent.output;
  if (spent.most === null) {
    if (used === 0) return [];
    return [{ name: "spent", health: "none", text: texts.status.spent(tokens(used)) }];
  }
  const isOver = used >= spent.most;
  const say = isOver ? texts.status.spentAll : texts.status.spentOf;
  const text = say(tokens(used), tokens(spent.most));
  const progress = { label: text, done: Math.min(used, spent.most), total: spent.most };
  return [{ name: "spent", health: isOver ? "bad" : "good", text, progress }];
}

function modelLine(model: Status["model"]): StatusLine {
  if (model === null) return { name: "model", health: "none", text: texts.status.noModel };
  if (model.problem === null) {
    return { name: "model", health: "good", text: texts.status.model(model.name) };
  }
  return { name: "model", health: "bad", text: texts.status.modelProblem(model.name) };
}
