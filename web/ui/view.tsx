import type { ReactNode } from "react";

interface ViewProps {
  /** The header: location and actions. */
  readonly header: ReactNode;
  readonly children: ReactNode;
  /** A column beside the text. */
  readonly isWide?: boolean;
}

/** The content of a view, in a column of readable width. */
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
