import { useDeferredValue, useState, type ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { texts } from "../texts/texts.ts";
import { Icon } from "../ui/icons.tsx";
import { FilteredFiles } from "./filtered-files.tsx";
import { Tree } from "./tree.tsx";

/** The tree, or while something is typed above it, the files whose paths match. */
export function FileBrowser(): ReactNode {
  const { files } = useServices();
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim());
  return (
    <div className="flex min-h-0 flex-1 flex-col border-t border-line">
      <div className="relative px-3 py-2.5">
        <input
          type="text"
          value={text}
          placeholder={texts.tree.filter}
          aria-label={texts.tree.filter}
          className="h-8 w-full rounded-md border border-line bg-raised pl-2.5 pr-8 text-sm placeholder:text-muted"
          onFocus={() => files.want()}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") setText("");
          }}
        />
        {text === "" ? null : (
          <button
            type="button"
            aria-label={texts.tree.clear}
            className="absolute inset-y-0 right-4 my-auto grid size-6 place-items-center rounded text-muted hover:text-ink"
            onClick={() => setText("")}
          >
            <Icon name="close" className="size-3.5" />
          </button>
        )}
      </div>
      {wanted === "" ? <Tree /> : <FilteredFiles wanted={wanted} />}
    </div>
  );
}
