import { lazy, Suspense, useEffect, useRef, type ReactNode } from "react";

import { IS_TEAM } from "../api/access.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import type { PaletteKind } from "../palette/palette-model.ts";
import { StatusPanel } from "../status/status-panel.tsx";
import { texts } from "../texts/texts.ts";
import { FileBrowser } from "../tree/file-browser.tsx";
import { Icon } from "../ui/icons.tsx";
import { HOME } from "./addresses.ts";
import { installWay } from "./install.ts";
import { Link } from "./link.tsx";
import { COMMAND_KEY } from "./shortcuts.ts";
import { VIEWS, viewAt } from "./views.tsx";
import { WaitingCount } from "./waiting-count.tsx";

/** Only where a team is. */
const TeamPanel = lazy(async () => ({
  default: (await import("../team/team-panel.tsx")).TeamPanel,
}));

const ROW =
  "flex min-h-8 items-center gap-2.5 rounded-md px-2 text-muted hover:bg-code hover:text-ink";

interface SidebarProps {
  /** On a narrow screen, where it covers the page. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The vault: where to go, its files, and how it is. */
export function Sidebar({ isOpen, onClose }: SidebarProps): ReactNode {
  const { router, palette, status: model } = useServices();
  const status = useStore(model.status);
  const most = useStore(model.most);
  const current = viewAt(useStore(router.place));
  const box = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    box.current?.querySelector("a")?.focus();
    void model.load();
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") onClose();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isOpen, onClose, model]);

  const show = (kind: PaletteKind): void => {
    onClose();
    palette.open.set(kind);
  };

  return (
    <>
      {isOpen ? (
        <button
          type="button"
          aria-label={texts.nav.close}
          className="fixed inset-0 z-20 bg-[rgb(0_0_0/0.45)] md:hidden"
          onClick={onClose}
        />
      ) : null}
      <aside
        ref={box}
        aria-label={texts.nav.label}
        className={`fixed inset-y-0 left-0 z-30 flex w-[19rem] max-w-[86vw] flex-col border-r border-line bg-panel transition-transform md:visible md:static md:w-[18rem] md:max-w-none md:translate-x-0 lg:w-[20rem] ${isOpen ? "" : "invisible -translate-x-full"}`}
      >
        <div className="flex items-center gap-2 px-4 pb-2 pt-4">
          <Link
            to={HOME}
            className="flex items-center gap-2 rounded-md font-semibold tracking-tight"
          >
            <Logo />
            coffre
          </Link>
          <span className="ml-auto truncate text-sm text-muted">{vaultName(status?.vault)}</span>
        </div>
        <nav
          aria-label={texts.nav.label}
          className="flex flex-col gap-0.5 px-2 pb-3 max-md:order-last max-md:border-t max-md:border-line max-md:pt-2"
        >
          {VIEWS.map(({ name, icon, title, count }) => {
            if (icon === undefined) return null;
            const isCurrent = current.name === name;
            return (
              <Link
                key={name}
                to={name === "home" ? HOME : `/${name}`}
                aria-current={isCurrent ? "page" : undefined}
                className={`flex min-h-8 items-center gap-2.5 rounded-md px-2 ${isCurrent ? "bg-accent-soft font-medium text-ink" : "text-muted hover:bg-code hover:text-ink"}`}
              >
                <Icon name={icon} />
                {title}
                {status === null || count === undefined ? null : (
                  <span className="ml-auto">
                    <WaitingCount count={count(status)} />
                  </span>
                )}
              </Link>
            );
          })}
          <div className="flex gap-0.5">
            <button type="button" className={`${ROW} flex-1`} onClick={() => show("switcher")}>
              <Icon name="go" />
              {texts.nav.switcher}
              <Keys>{`${COMMAND_KEY} O`}</Keys>
            </button>
            <button
              type="button"
              aria-label={texts.nav.commands}
              title={`${texts.nav.commands} (${COMMAND_KEY} P)`}
              className={`${ROW} max-md:min-w-11 justify-center`}
              onClick={() => show("commands")}
            >
              <Icon name="more" />
            </button>
          </div>
          {installWay() === "installed" ? null : (
            <button
              type="button"
              className={`${ROW} md:hidden`}
              onClick={() => palette.open.set("install")}
            >
              <Icon name="external" />
              {texts.install.title}
            </button>
          )}
        </nav>
        <FileBrowser />
        {IS_TEAM ? (
          <Suspense>
            <TeamPanel />
          </Suspense>
        ) : null}
        <StatusPanel status={status} most={most} />
      </aside>
    </>
  );
}

/** Of no use on a telephone. */
function Keys({ children }: { readonly children: string }): ReactNode {
  return (
    <kbd className="ml-auto rounded border border-line px-1 font-sans text-xs max-md:hidden">
      {children}
    </kbd>
  );
}

function Logo(): ReactNode {
  return (
    <svg viewBox="0 0 32 32" className="size-6" aria-hidden="true">
      <rect x="3" y="8" width="26" height="18" rx="4" className="fill-accent" />
      <path d="M3 14h26" strokeWidth="2" className="stroke-panel" />
      <rect x="13" y="12" width="6" height="7" rx="1.5" className="fill-panel" />
    </svg>
  );
}

/** The folder's own name: the rest of its path is long, and the same every day. */
function vaultName(folder: string | undefined): string {
  return folder?.split(/[/\\]/u).findLast((part) => part !== "") ?? "";
}
