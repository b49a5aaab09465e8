import { useEffect, useState, type ReactNode } from "react";

interface MathProps {
  readonly tex: string;
  /** On lines of its own. */
  readonly isBlock: boolean;
}

/** A formula: first as it is written, then set as MathML. What sets it is loaded on first use. */
export function MathFormula({ tex, isBlock }: MathProps): ReactNode {
  const [set, setSet] = useState<{ readonly tex: string; readonly shown: ReactNode } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const show = async (): Promise<void> => {
      const { mathElements } = await import("./math-elements.ts");
      if (isWanted) setSet({ tex, shown: mathElements(tex, isBlock) });
    };
    // As it is written it is still readable.
    show().catch(() => {});
    return () => {
      isWanted = false;
    };
  }, [tex, isBlock]);
  const shown = set?.tex === tex ? set.shown : <code>{tex}</code>;
  return isBlock ? (
    // Reached with the keyboard, because a wide formula is scrolled.
    <div className="math-block" tabIndex={0}>
      {shown}
    </div>
  ) : (
    <span className="math">{shown}</span>
  );
}
