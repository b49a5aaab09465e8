import type { ReactNode } from "react";

import type { RecallAnswer, Verified } from "../../src/server/api/agent-contract.ts";
import { postJson } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { fileAddress, parseLines } from "../app/addresses.ts";
import { Link } from "../app/link.tsx";
import { texts } from "../texts/texts.ts";

interface AnswerProps {
  readonly answer: RecallAnswer;
}

/** What an answer says that its sources do not: small lines under its words. */
export function AnswerDoubts({ answer: { doubts } }: AnswerProps): ReactNode {
  const unmarked = doubts.filter(({ kind }) => kind === "no_mark");
  const values = [...new Set(doubts.flatMap((doubt) => doubt.values))];
  if (doubts.length === 0) return null;
  return (
    <div className="mt-2 space-y-1 text-sm text-muted">
      {unmarked.length === 0 ? null : <p>{texts.search.noSource(unmarked.length)}</p>}
      {values.length === 0 ? null : (
        <p>
          {texts.search.notInSources} {values.join(" · ")}
        </p>
      )}
    </div>
  );
}

/** Which sources of an answer are no longer what they were when it was given; nothing while all are. */
export function AnswerState({ answer }: AnswerProps): ReactNode {
  const { evidence } = answer;
  const { value } = useResource(
    evidence.map(({ sha256 }) => sha256).join(" "),
    async (signal) =>
      evidence.length === 0
        ? null
        : postJson<Verified>("/api/verify", { answer: answer.answer }, signal),
    (event) => event.type === "file",
  );
  const old = value?.sources.filter(({ state }) => state !== "same") ?? [];
  if (old.length === 0) return null;
  return (
    <div role="status" className="mt-3 border-l-2 border-accent pl-3 text-sm">
      <p className="font-medium">{texts.search.older(old.length)}</p>
      <ul>
        {old.map(({ mark, path, lines, state, to, by }) => (
          <li key={`${path} ${lines}`} className="[overflow-wrap:anywhere]">
            {mark === null ? "" : `[${mark}] `}
            {path}:{lines} {texts.search.states[state]} <Place place={by ?? to} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where it stands now, or what replaced it. */
function Place({
  place,
}: {
  readonly place: { readonly path: string; readonly lines: string } | null;
}): ReactNode {
  if (place === null) return null;
  return (
    <Link to={fileAddress(place.path, parseLines(place.lines))} className="text-accent underline">
      {place.path}:{place.lines}
    </Link>
  );
}
