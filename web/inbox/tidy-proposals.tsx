import { useState, type ReactNode } from "react";

import type { AcceptedUpdate, TidyView } from "../../src/server/api/agent-contract.ts";
import { problemOf } from "../api/problem.ts";
import { postJson } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useProblem } from "../api/use-problem.ts";
import { OneChange } from "../history/change-details.tsx";
import { language, texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";

/** What tidying proposes, each with its diff and a box to choose it by. Nothing is changed until some of it is applied. */
export function TidyProposals({
  tidy: { ref, proposals, notes },
}: {
  readonly tidy: TidyView;
}): ReactNode {
  const { updates } = useServices();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [isSent, setSent] = useState(false);
  const [problem, setProblem] = useProblem();
  const chosen = proposals.map(({ number }) => number).filter((number) => !left.has(number));
  const answer = async (content: string): Promise<void> => {
    setSent(true);
    try {
      const body = { content, inbox_ref: ref };
      const { id } = await postJson<AcceptedUpdate>("/api/update", body);
      setProblem(null);
      await updates.follow(id);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setSent(false);
    }
  };
  const toggle = (number: number): void => {
    const next = new Set(left);
    if (!next.delete(number)) next.add(number);
    setLeft(next);
  };
  return (
    <section aria-label={texts.tidy.title}>
      <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl bg-accent-soft px-5 py-4">
        <div className="w-full sm:w-auto sm:min-w-48 sm:flex-1">
          <h1 className="text-lg/snug font-medium">{texts.tidy.title}</h1>
          <p className="text-sm text-muted">{texts.tidy.hint}</p>
        </div>
        <Button disabled={isSent} onClick={() => void answer("no")}>
          {texts.tidy.none}
        </Button>
        {proposals.length === 0 ? null : (
          <Button
            look="solid"
            disabled={isSent || chosen.length === 0}
            onClick={() => void answer(chosen.join(","))}
          >
            {texts.tidy.apply(chosen.length)}
          </Button>
        )}
        {problem === null ? null : (
          <p role="alert" className="w-full text-sm text-danger">
            {problem.message}
          </p>
        )}
      </div>
      <ol className="space-y-6">
        {proposals.map(({ number, title, changes }) => (
          <li key={number}>
            <label className="flex cursor-pointer items-baseline gap-2.5 pb-2">
              <input
                type="checkbox"
                className="translate-y-0.5 accent-accent"
                checked={!left.has(number)}
                onChange={() => toggle(number)}
              />
              <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
                {number}. {title[language]}
              </span>
            </label>
            <div className={`space-y-3 sm:pl-6 ${left.has(number) ? "opacity-60" : ""}`}>
              {changes.map((change) => (
                <div
                  key={`${change.kind} ${change.path}`}
                  className="max-h-[60vh] overflow-y-auto rounded-lg"
                >
                  <OneChange change={change} />
                </div>
              ))}
            </div>
          </li>
        ))}
      </ol>
      {notes.length === 0 ? null : (
        <>
          <h2 className="mb-3 mt-8 text-sm font-semibold text-muted">{texts.tidy.notes}</h2>
          <ul className="list-disc space-y-1.5 pl-5 text-sm">
            {notes.map(({ title }) => (
              <li key={title.en} className="[overflow-wrap:anywhere]">
                {title[language]}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
