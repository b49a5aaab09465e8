import type { ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { Link } from "../app/link.tsx";
import { fileAddress } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { ROOT } from "./paths.ts";
import { useFuzzyFiles } from "./use-fuzzy-files.ts";

/** More matches are not shown: another letter narrows them. */
const MOST = 100;

/** The files whose paths have the letters that were typed, the best first. */
export function FilteredFiles({ wanted }: { readonly wanted: string }): ReactNode {
  const { files } = useServices();
  const listed = useStore(files.files);
  const found = useFuzzyFiles(listed, wanted, MOST);
  if (found === null) return <p className="px-4 py-2 text-sm text-muted">{texts.loading}</p>;
  if (found.length === 0) return <p className="px-4 py-2 text-sm text-muted">{texts.tree.none}</p>;
  return (
    <ul className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-2 pb-2">
      {found.map(({ path, match }) => (
        <li key={path}>
          <Link
            to={fileAddress(path)}
            className="block rounded-md px-2 py-1 text-sm text-muted [overflow-wrap:anywhere] hover:bg-code hover:text-ink"
          >
            <Marked text={path.slice(ROOT.length)} at={match.at} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface MarkedProps {
  readonly text: string;
  readonly at: readonly number[];
}

/** A text with some of its characters marked. */
export function Marked({ text, at }: MarkedProps): ReactNode {
  const marks = new Set(at);
  const runs: { start: number; text: string; isMarked: boolean }[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const isMarked = marks.has(index);
    const last = runs.at(-1);
    if (last?.isMarked === isMarked) last.text += text.charAt(index);
    else runs.push({ start: index, text: text.charAt(index), isMarked });
  }
  return runs.map((run) =>
    run.isMarked ? (
      <strong key={run.start} className="font-semibold text-accent">
        {run.text}
      </strong>
    ) : (
      <span key={run.start}>{run.text}</span>
    ),
  );
}
