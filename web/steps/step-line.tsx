import type { ReactNode } from "react";

import { texts } from "../texts/texts.ts";
import { Icon } from "../ui/icons.tsx";
import type { Step } from "./steps.ts";

const TOOLS: ReadonlyMap<string, string> = new Map(Object.entries(texts.steps.tools));

/** One step of an agent: what it does, and what it is about. */
export function StepLine({ step }: { readonly step: Step }): ReactNode {
  const { kind, tool, text, isDone } = step;
  const title =
    kind === "thinking"
      ? texts.steps.thinks
      : kind === "retry"
        ? texts.steps.retry
        : (TOOLS.get(tool) ?? tool);
  return (
    <li className="flex items-baseline gap-2">
      <span className="w-3.5 shrink-0 self-center text-accent">
        {isDone ? <Icon name="check" className="size-3.5" /> : null}
      </span>
      <span className="shrink-0 font-medium text-ink">{title}</span>
      <span className="truncate">{text}</span>
    </li>
  );
}
