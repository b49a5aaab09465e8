import { useState, type ReactNode } from "react";

import type { AdoptedAnswer, AdoptionAnswer } from "../../src/server/api/contract.ts";
import { problemOf, type RequestProblem } from "../api/problem.ts";
import { getJson } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { useResource } from "../api/use-resource.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { adopt, undoAdoption, type Choice } from "./adopt.ts";
import { AdoptExamples } from "./adopt-examples.tsx";

const CHOICES: readonly Choice[] = ["own", "all", "none"];

/** What a person is doing with the card. */
type Adopting =
  | { readonly kind: "choosing"; readonly problem: RequestProblem | null }
  | { readonly kind: "working"; readonly done: number; readonly total: number }
  | { readonly kind: "done"; readonly answer: AdoptedAnswer };

/** Asks what may be written into notes that were there before coffre, until somebody has chosen. */
export function AdoptCard(): ReactNode {
  const { status } = useServices();
  const frontmatter = useStore(status.status)?.frontmatter;
  const [adopting, setAdopting] = useState<Adopting>({ kind: "choosing", problem: null });
  const isForeign = frontmatter?.setting === "own" && !frontmatter.chosen;
  if (!isForeign && adopting.kind === "choosing") return null;

  const choose = async (choice: Choice): Promise<void> => {
    setAdopting({ kind: "working", done: 0, total: 0 });
    try {
      const answer = await adopt(choice, (done, total) =>
        setAdopting({ kind: "working", done, total }),
      );
      setAdopting({ kind: "done", answer });
    } catch (error) {
      setAdopting({ kind: "choosing", problem: problemOf(error) });
    }
    await status.load();
  };

  return (
    <section
      aria-label={texts.adopt.title}
      className="mb-8 rounded-lg border border-line bg-raised px-5 py-4"
    >
      <h2 className="font-semibold">{texts.adopt.title}</h2>
      {adopting.kind === "choosing" ? (
        <Choices problem={adopting.problem} onChoose={(choice) => void choose(choice)} />
      ) : adopting.kind === "working" ? (
        <p role="status" className="mt-2 text-sm text-muted">
          {texts.adopt.working(adopting.done, adopting.total)}
        </p>
      ) : (
        <Done answer={adopting.answer} onUndone={() => void status.load()} />
      )}
    </section>
  );
}

function Choices({
  problem,
  onChoose,
}: {
  readonly problem: RequestProblem | null;
  readonly onChoose: (choice: Choice) => void;
}): ReactNode {
  const { value } = useResource<AdoptionAnswer>("adopt", async (signal) =>
    getJson("/api/adopt", signal),
  );
  return (
    <>
      <p className="mt-1 text-sm text-muted">{texts.adopt.explained}</p>
      {value === null ? null : (
        <p className="mt-1 text-sm text-muted">{texts.adopt.found(value)}</p>
      )}
      {problem === null ? null : (
        <p role="alert" className="mt-2 text-sm text-danger">
          {problem.message}
        </p>
      )}
      <ul className="mt-3 space-y-2">
        {CHOICES.map((choice) => (
          <li key={choice} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button look={choice === "own" ? "solid" : "outline"} onClick={() => onChoose(choice)}>
              {texts.adopt.choices[choice]}
            </Button>
            <span className="text-sm text-muted">
              {value === null ? "" : texts.adopt.changes(value.choices[choice].changed)}
            </span>
          </li>
        ))}
      </ul>
      {value === null ? null : <AdoptExamples examples={value.examples} />}
    </>
  );
}

type Undoing =
  | { readonly kind: "not yet"; readonly problem: RequestProblem | null }
  | { readonly kind: "working"; readonly done: number; readonly total: number }
  | { readonly kind: "undone"; readonly skipped: readonly string[] };

function Done({
  answer: { files, history },
  onUndone,
}: {
  readonly answer: AdoptedAnswer;
  readonly onUndone: () => void;
}): ReactNode {
  const [undoing, setUndoing] = useState<Undoing>({ kind: "not yet", problem: null });
  const undo = async (id: string): Promise<void> => {
    setUndoing({ kind: "working", done: 0, total: 0 });
    try {
      const { skipped = [] } = await undoAdoption(id, (done, total) =>
        setUndoing({ kind: "working", done, total }),
      );
      setUndoing({ kind: "undone", skipped });
      onUndone();
    } catch (error) {
      setUndoing({ kind: "not yet", problem: problemOf(error) });
    }
  };
  if (undoing.kind === "undone") {
    const { skipped } = undoing;
    return (
      <p role="status" className="mt-2 text-sm">
        {texts.adopt.undone}
        {skipped.length === 0 ? null : ` ${texts.adopt.skipped(skipped)}`}
      </p>
    );
  }
  return (
    <div className="mt-2 flex flex-wrap items-center gap-3 text-sm">
      <p role="status">
        {undoing.kind === "working"
          ? texts.adopt.undoing(undoing.done, undoing.total)
          : texts.adopt.done(files)}
      </p>
      {undoing.kind === "working" || undoing.problem === null ? null : (
        <p role="alert" className="text-danger">
          {undoing.problem.message}
        </p>
      )}
      {history === null ? null : (
        <Button
          look="outline"
          disabled={undoing.kind === "working"}
          onClick={() => void undo(history)}
        >
          <Icon name="undo" />
          {texts.history.undo}
        </Button>
      )}
    </div>
  );
}
