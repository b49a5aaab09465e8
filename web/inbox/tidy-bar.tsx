import { useState, type ReactNode } from "react";

import type { TidyView } from "../../src/server/api/agent-contract.ts";
import { problemOf } from "../api/problem.ts";
import { postJson } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useProblem } from "../api/use-problem.ts";
import { inboxAddress } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { useTidy } from "./use-tidy.ts";

/** Looks for what is untidy now, or every day. */
export function TidyBar(): ReactNode {
  const { router } = useServices();
  const { value, reload } = useTidy();
  const [isWorking, setWorking] = useState(false);
  const [isTidy, setTidy] = useState(false);
  const [problem, setProblem] = useProblem();
  const ask = async (body: { readonly daily?: boolean }): Promise<TidyView | null> => {
    setWorking(true);
    try {
      const view = await postJson<TidyView>("/api/tidy", body);
      setProblem(null);
      return view;
    } catch (error) {
      setProblem(problemOf(error));
      return null;
    } finally {
      setWorking(false);
      reload();
    }
  };
  const look = async (): Promise<void> => {
    setTidy(false);
    const view = await ask({});
    if (view === null) return;
    if (view.ref === null) setTidy(true);
    else router.go(inboxAddress(view.ref));
  };
  if (value === null) return null;
  return (
    <div className="mt-10 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4 text-sm text-muted">
      <Button disabled={isWorking} onClick={() => void look()}>
        {isWorking ? texts.tidy.looking : texts.tidy.look}
      </Button>
      <label className="flex min-h-8 items-center gap-1.5">
        <input
          type="checkbox"
          className="accent-accent"
          checked={value.daily}
          disabled={isWorking}
          onChange={(event) => void ask({ daily: event.target.checked })}
        />
        {texts.tidy.daily}
      </label>
      {isTidy ? <span role="status">{texts.tidy.nothing}</span> : null}
      {problem === null ? null : (
        <span role="alert" className="text-danger">
          {problem.message}
        </span>
      )}
    </div>
  );
}
