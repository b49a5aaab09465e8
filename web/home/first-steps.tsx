import type { ReactNode } from "react";

import type { TreeEntry } from "../../src/server/api/contract.ts";
import { useAccess } from "../api/access.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { fileAddress } from "../app/addresses.ts";
import { Link } from "../app/link.tsx";
import { COMMAND_KEY } from "../app/shortcuts.ts";
import { texts } from "../texts/texts.ts";
import { nameOf } from "../tree/paths.ts";
import { Icon, type IconName } from "../ui/icons.tsx";

const MOST_FOLDERS = 12;

/** Home of a vault without an overview: what is there, and what one can do with it. */
export function FirstSteps({ root }: { readonly root: TreeEntry }): ReactNode {
  const { composer, status } = useServices();
  const { mayAdd } = useAccess();
  const known = useStore(status.status);
  const hasModel = (known?.model ?? null) !== null;
  // Frontmatter is written into all of them once somebody chose that.
  const areKept = known !== null && known.frontmatter.setting !== "all";
  const folders = (root.children ?? []).filter(({ kind }) => kind === "folder");
  const { files = 0 } = root;
  const steps = texts.home.steps;
  return (
    <section aria-label={texts.home.noOverview}>
      <h1 className="text-2xl font-semibold tracking-tight">{texts.home.welcome}</h1>
      <p className="mt-1 text-muted">{texts.home.counted(files, folders.length, areKept)}</p>
      <ul className="mt-6 space-y-4">
        <Step icon="search" title={steps.search} keys={`${COMMAND_KEY} K`}>
          <button
            type="button"
            className="text-left text-muted hover:text-accent"
            onClick={() => composer.focus("search")}
          >
            {steps.searchHint}
          </button>
        </Step>
        {mayAdd ? (
          <Step icon="pencil" title={steps.add}>
            <button
              type="button"
              className="text-left text-muted hover:text-accent"
              onClick={() => composer.focus("update")}
            >
              {hasModel ? steps.addWithModel : steps.addWithoutModel}
            </button>
          </Step>
        ) : null}
        {folders.length === 0 ? null : (
          <Step icon="folder" title={steps.browse}>
            <ul className="flex flex-wrap gap-x-4 gap-y-1">
              {folders.slice(0, MOST_FOLDERS).map(({ path }) => (
                <li key={path}>
                  <Link to={fileAddress(path)} className="text-accent hover:underline">
                    {nameOf(path)}
                  </Link>
                </li>
              ))}
            </ul>
          </Step>
        )}
        <Step icon="home" title={steps.overview}>
          <p className="text-muted">{steps.overviewHint}</p>
        </Step>
      </ul>
    </section>
  );
}

interface StepProps {
  readonly icon: IconName;
  readonly title: string;
  readonly keys?: string;
  readonly children: ReactNode;
}

function Step({ icon, title, keys, children }: StepProps): ReactNode {
  return (
    <li className="flex gap-3">
      <span className="mt-0.5 grid size-8 shrink-0 place-items-center rounded-full bg-code text-muted">
        <Icon name={icon} />
      </span>
      <div className="min-w-0">
        <p className="font-medium">
          {title}
          {keys === undefined ? null : (
            <kbd className="ml-2 rounded border border-line px-1 text-xs font-normal text-muted">
              {keys}
            </kbd>
          )}
        </p>
        {children}
      </div>
    </li>
  );
}
