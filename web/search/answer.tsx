import type { ReactNode } from "react";

import type { RecallAnswer } from "../../src/server/api/agent-contract.ts";
import { useServices } from "../api/services.ts";
import { Link } from "../app/link.tsx";
import { fileAddress, formatLines, parseLines } from "../app/addresses.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Failed } from "../ui/notice.tsx";
import { StepLine } from "../steps/step-line.tsx";
import { AnswerDoubts, AnswerState } from "./answer-state.tsx";
import type { Asked } from "./ask-model.ts";
import { rangeOf } from "./excerpt.ts";

/** A question and its answer: the steps as they are taken, then the overview, then the sources as they stand in their files. */
export function Answer({ asked }: { readonly asked: Asked }): ReactNode {
  const { ask } = useServices();
  const { question, steps, answer, problem, isStopped } = asked;
  const isWorking = answer === null && problem === null && !isStopped;
  return (
    <section aria-label={texts.search.answer} className="mb-10">
      <h1 className="text-xl font-semibold tracking-tight [overflow-wrap:anywhere]">{question}</h1>
      <div role="status" aria-live="polite" className="mt-3 text-sm text-muted">
        {isWorking ? (
          <p className="flex items-center gap-2">
            <span className="size-2 animate-breathe rounded-full bg-accent" />
            {texts.search.asking}
            <Button look="plain" onClick={() => ask.stop()}>
              {texts.search.stop}
            </Button>
          </p>
        ) : null}
        {isStopped ? <p>{texts.search.stopped}</p> : null}
      </div>
      {steps.length === 0 ? null : (
        <ol className="mt-2 space-y-1 border-l-2 border-line pl-4 text-sm text-muted">
          {steps.map((step) => (
            <StepLine key={step.id} step={step} />
          ))}
        </ol>
      )}
      {problem === null ? null : <Failed problem={problem} />}
      {answer === null ? null : (
        <>
          <div className="mt-5">
            <Markdown text={answer.overview} file="vault/overview.md" />
            <AnswerDoubts answer={answer} />
            <AnswerState answer={answer} />
            {answer.model === null ? (
              <p className="mt-2 text-sm text-muted">{texts.search.withoutModel}</p>
            ) : null}
          </div>
          {answer.passages.length === 0 ? null : (
            <>
              <h2 className="mb-3 mt-8 text-sm font-semibold text-muted">{texts.search.sources}</h2>
              <div className="space-y-4">
                {answer.passages.map((source) => (
                  <Source
                    key={`${source.path} ${source.lines}`}
                    source={source}
                    evidence={answer.evidence}
                  />
                ))}
              </div>
            </>
          )}
        </>
      )}
    </section>
  );
}

/** Lines of a file, with their own numbers; opens the file there. */
function Source({
  source,
  evidence,
}: {
  readonly source: RecallAnswer["passages"][number];
  readonly evidence: RecallAnswer["evidence"];
}): ReactNode {
  const { path, text_lines: lines } = source;
  const own = evidence.find((each) => each.path === path && each.lines === source.lines);
  const range = rangeOf(lines);
  return (
    <figure className="overflow-hidden rounded-lg border border-line">
      <figcaption className="flex flex-wrap items-center border-b border-line bg-panel text-sm">
        <Link
          to={fileAddress(path, range)}
          className="flex flex-1 items-center gap-2 px-3 py-1.5 font-medium hover:text-accent"
        >
          {own === undefined ? null : <span className="text-muted">[{own.mark}]</span>}
          <span className="[overflow-wrap:anywhere]">{path}</span>
          <span className="ml-auto shrink-0 text-xs font-normal text-muted">
            {range === null ? "" : formatLines(range)}
          </span>
        </Link>
        {own === undefined || own.replaced === null ? null : (
          <Link
            to={fileAddress(own.replaced.path, parseLines(own.replaced.lines))}
            className="px-3 pb-1.5 text-xs text-muted [overflow-wrap:anywhere] hover:text-accent sm:py-1.5"
          >
            {texts.search.replaced(own.replaced.date)} → {own.replaced.path} {own.replaced.lines}
          </Link>
        )}
      </figcaption>
      <div className="py-2 font-mono text-[0.8125rem]/6">
        {lines.map(({ number, text }) => (
          <div key={number} className="flex">
            <span className="w-12 shrink-0 select-none pr-4 text-right tabular-nums text-muted">
              {number}
            </span>
            <span className="min-w-0 whitespace-pre-wrap pr-3 [overflow-wrap:anywhere]">
              {text}
            </span>
          </div>
        ))}
      </div>
    </figure>
  );
}
