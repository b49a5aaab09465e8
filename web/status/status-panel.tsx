import type { ReactNode } from "react";

import type { Status } from "../../src/server/api/contract.ts";
import { texts } from "../texts/texts.ts";

type Health = "good" | "busy" | "bad" | "none";

const COLOURS: Readonly<Record<Health, string>> = {
  good: "bg-accent",
  busy: "bg-accent animate-breathe",
  bad: "bg-danger",
  none: "border border-strong-line",
};

/** How index, watcher and model are, in a line each. */
export function StatusPanel({ status }: { readonly status: Status | null }): ReactNode {
  return (
    <section
      aria-label={texts.status.label}
      className="space-y-1 border-t border-line px-4 py-3 text-xs text-muted"
    >
      {status === null ? (
        <p>{texts.loading}</p>
      ) : (
        linesOf(status).map(({ name, health, text }) => (
          <p key={name} className="flex items-baseline gap-2">
            <span className={`size-1.5 shrink-0 -translate-y-px rounded-full ${COLOURS[health]}`} />
            <span>{text}</span>
          </p>
        ))
      )}
    </section>
  );
}

interface StatusLine {
  readonly name: string;
  readonly health: Health;
  readonly text: string;
}

function linesOf({ index, watcher, model, queue, alarms }: Status): StatusLine[] {
  const underWay = queue.waiting + queue.running;
  const isWatching = watcher.alive && watcher.unwatched === 0;
  return [
    index.pending > 0
      ? { name: "index", health: "busy", text: texts.status.pending(index.pending) }
      : { name: "index", health: "good", text: texts.status.index(index.files) },
    {
      name: "watcher",
      health: isWatching ? "good" : "bad",
      text: isWatching ? texts.status.watching : texts.status.notWatching,
    },
    modelLine(model),
    ...(underWay === 0
      ? []
      : [{ name: "queue", health: "busy" as const, text: texts.status.queue(underWay) }]),
    ...alarms.map((text) => ({ name: text, health: "bad" as const, text })),
  ];
}

function modelLine(model: Status["model"]): StatusLine {
  if (model === null) return { name: "model", health: "none", text: texts.status.noModel };
  if (model.problem === null) {
    return { name: "model", health: "good", text: texts.status.model(model.name) };
  }
  return { name: "model", health: "bad", text: texts.status.modelProblem(model.name) };
}
