import { Fragment, type ReactNode } from "react";

import { Link } from "../app/link.tsx";
import { fileAddress } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { foldersAbove, nameOf } from "../tree/paths.ts";

/** Where a file or folder is; each folder above it leads there. */
export function Breadcrumb({ path }: { readonly path: string }): ReactNode {
  return (
    <nav aria-label={texts.file.path} className="min-w-0 flex-[1_1_14rem] text-sm text-muted">
      <ol className="flex flex-wrap items-center gap-x-1.5">
        {foldersAbove(path).map((folder) => (
          <Fragment key={folder}>
            <li>
              <Link to={fileAddress(folder)} className="rounded hover:text-accent hover:underline">
                {nameOf(folder)}
              </Link>
            </li>
            <li aria-hidden="true">/</li>
          </Fragment>
        ))}
        <li aria-current="page" className="font-medium text-ink [overflow-wrap:anywhere]">
          {nameOf(path)}
        </li>
      </ol>
    </nav>
  );
}
