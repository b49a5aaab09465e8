import type { ReactNode } from "react";

interface ViewProps {
  /** What stands above: where one is, and what can be done here. */
  readonly header: ReactNode;
  readonly children: ReactNode;
  /** Room beside the text, for what goes with it. */
  readonly isWide?: boolean;
}

/** What is read, in a column that is good to read. */
export function View({ header, children, isWide = false }: ViewProps): ReactNode {
  const width = isWide ? "max-w-[66rem]" : "max-w-[46rem]";
  return (
    <div className={`mx-auto w-full px-5 pb-16 pt-5 sm:px-8 sm:pt-7 ${width}`}>
      {header === null ? null : (
        <div className="mb-5 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">{header}</div>
      )}
      {children}
    </div>
  );
}
