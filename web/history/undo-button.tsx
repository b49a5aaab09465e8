import { useState, type ReactNode } from "react";

import type { UndoAnswer } from "../../src/server/api/contract.ts";
import { problemOf } from "../api/problem.ts";
import { postJson } from "../api/request.ts";
import { useProblem } from "../api/use-problem.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";

interface UndoButtonProps {
  /** Of a change, or of all changes of one run. */
  readonly id: string;
  /** Who made it, where that is somebody else. */
  readonly of?: string | null;
  readonly onDone?: () => void;
}

/** Undoes a change. When a file changed since, it says so and asks for a second click. */
export function UndoButton({ id, of = null, onDone }: UndoButtonProps): ReactNode {
  const [isWorking, setWorking] = useState(false);
  const [problem, setProblem] = useProblem();
  const isForced = problem?.code === "conflict";
  const undo = async (): Promise<void> => {
    setWorking(true);
    try {
      await postJson<UndoAnswer>("/api/undo", { id, force: isForced });
      setProblem(null);
      onDone?.();
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setWorking(false);
    }
  };
  return (
    <span className="inline-flex max-w-full flex-wrap items-center justify-end gap-2">
      {problem === null ? null : (
        <span role="alert" className="text-sm text-danger">
          {problem.message}
        </span>
      )}
      <Button
        look={isForced ? "danger" : "outline"}
        disabled={isWorking}
        onClick={() => void undo()}
      >
        <Icon name="undo" />
        {isForced
          ? texts.history.undoAnyway
          : of === null
            ? texts.history.undo
            : texts.history.undoOf(of)}
      </Button>
    </span>
  );
}
