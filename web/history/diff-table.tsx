import type { ReactNode } from "react";

import { texts } from "../texts/texts.ts";
import type { DiffRow } from "./diff-rows.ts";

const LOOKS: Readonly<Record<DiffRow["kind"], string>> = {
  added: "bg-added",
  removed: "bg-removed",
  same: "",
  gap: "",
};

const MARKS: Readonly<Record<DiffRow["kind"], string>> = {
  added: "+",
  removed: "−",
  same: "",
  gap: "⋯",
};

/** What differs, line by line. Marks say the same as the colours, for those who do not see them. */
export function DiffTable({ rows }: { readonly rows: readonly DiffRow[] }): ReactNode {
  return (
    <table
      aria-label={texts.history.diff}
      className="w-full table-fixed font-mono text-[0.8125rem]/6"
    >
      <tbody>
        {rows.map((row, index) => {
          const strong = row.kind === "added" ? "bg-added-strong" : "bg-removed-strong";
          return (
            // Rows never change their places: a diff is shown once.
            <tr key={index} className={LOOKS[row.kind]}>
              <td className="w-10 select-none pr-2 text-right align-top text-xs/6 text-muted">
                {row.after ?? row.before}
              </td>
              <td className="w-6 select-none text-center align-top text-muted">
                <span aria-hidden="true">{MARKS[row.kind]}</span>
                <span className="sr-only">
                  {row.kind === "added" ? texts.history.added : null}
                  {row.kind === "removed" ? texts.history.removed : null}
                </span>
              </td>
              <td className="whitespace-pre-wrap pr-3 [overflow-wrap:anywhere]">
                {row.pieces.map((piece, at) => (
                  <span key={at} className={piece.isChanged ? `rounded-sm ${strong}` : ""}>
                    {piece.text}
                  </span>
                ))}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
