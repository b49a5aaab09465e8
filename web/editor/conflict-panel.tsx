import { useState, type ReactNode } from "react";

import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import type { Choice, ConflictPart } from "./merge.ts";

/** The lines that two people changed, side by side, and what may become of them: each conflict by itself. */
export function ConflictPanel({
  parts,
  onDecide,
}: {
  readonly parts: readonly ConflictPart[];
  /** Called with a choice for each part, once there is one for all. */
  readonly onDecide: (choices: readonly Choice[]) => void;
}): ReactNode {
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const choose = (part: ConflictPart, at: number, choice: Choice): void => {
    const next = new Map(choices).set(nameOf(part, at), choice);
    setChoices(next);
    const decided = parts.flatMap((each, index) => next.get(nameOf(each, index)) ?? []);
    if (decided.length === parts.length) onDecide(decided);
  };
  return (
    <section
      aria-label={texts.write.conflict}
      className="mb-4 space-y-5 rounded-lg border border-line bg-warn-soft p-3 text-sm"
    >
      {parts.map((part, at) => (
        <Conflict
          key={nameOf(part, at)}
          part={part}
          isOnly={parts.length === 1}
          chosen={choices.get(nameOf(part, at)) ?? null}
          onChoose={(choice) => choose(part, at, choice)}
        />
      ))}
      {parts.length > 1 ? <p className="text-warn">{texts.write.eachConflict}</p> : null}
    </section>
  );
}

/** A choice counts for the lines it was made for, and not for others that stand in their place later. */
function nameOf(part: ConflictPart, at: number): string {
  return JSON.stringify([at, part.mine, part.theirs]);
}

interface ConflictProps {
  readonly part: ConflictPart;
  /** One click decides it. */
  readonly isOnly: boolean;
  readonly chosen: Choice | null;
  readonly onChoose: (choice: Choice) => void;
}

function Conflict({ part, isOnly, chosen, onChoose }: ConflictProps): ReactNode {
  const ways: readonly (readonly [Choice, string])[] = [
    ["both", texts.write.keepBoth],
    ["mine", texts.write.keepMine],
    ["theirs", texts.write.keepTheirs],
  ];
  return (
    <div>
      <div className="mb-3 grid gap-3 sm:grid-cols-2">
        <Side title={texts.write.mine} text={part.mine} />
        <Side title={texts.write.theirs} text={part.theirs} />
      </div>
      <div className="flex flex-wrap gap-2">
        {ways.map(([choice, label]) => (
          <Button
            key={choice}
            look={(isOnly ? "both" : chosen) === choice ? "solid" : "outline"}
            aria-pressed={isOnly ? undefined : chosen === choice}
            onClick={() => onChoose(choice)}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

function Side({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <div>
      <h3 className="mb-1 font-medium text-warn">{title}</h3>
      <p className="whitespace-pre-wrap rounded-md border border-line bg-raised p-2 [overflow-wrap:anywhere]">
        {text}
      </p>
    </div>
  );
}
