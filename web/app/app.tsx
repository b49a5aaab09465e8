import { useEffect, useRef, useState, type ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { Composer } from "../composer/composer.tsx";
import { DropZone } from "../composer/drop-zone.tsx";
import { UpdateList } from "../composer/update-list.tsx";
import { useStatus } from "../status/use-status.ts";
import { texts } from "../texts/texts.ts";
import { nameOf } from "../tree/paths.ts";
import { Icon } from "../ui/icons.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { Link } from "./link.tsx";
import type { Route } from "./route.ts";
import { Sidebar } from "./sidebar.tsx";
import { WaitingCount } from "./waiting-count.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { CurrentView } from "./current-view.tsx";
import { useKeptScroll } from "./use-kept-scroll.ts";

/** The whole page: the vault on the left, what is read in the middle, the input below it. */
export function App(): ReactNode {
  const { router, tree } = useServices();
  const route = useStore(router.route);
  const status = useStatus();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useShortcuts();

  useEffect(() => {
    document.title = `${titleOf(route)} · coffre`;
    if (route.view === "file" || route.view === "folder") tree.reveal(route.path);
  }, [route, tree]);

  // Other lines of the same file are no other view: the view itself goes there.
  const place = route.view === "file" || route.view === "folder" ? route.path : route.view;
  useKeptScroll(main, place);
  useEffect(() => {
    // A link that went away with its view leaves the keyboard nowhere.
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [place]);
  useEffect(() => {
    if (route.view !== "folder") setMenuOpen(false);
  }, [route]);

  return (
    <div className="flex h-dvh bg-paper">
      <a
        href="#main"
        className="fixed left-2 top-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {texts.skipToContent}
      </a>
      <Sidebar status={status} isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />
      <DropZone>
        <header className="flex items-center gap-2 border-b border-line px-2 py-1.5 md:hidden">
          <button
            type="button"
            className="grid size-10 place-items-center rounded-md text-muted hover:text-ink"
            aria-label={texts.nav.open}
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(true)}
          >
            <Icon name="menu" className="size-5" />
          </button>
          <span className="truncate font-semibold">{titleOf(route)}</span>
          <Link
            to={{ view: "inbox", ref: null }}
            className="ml-auto flex h-10 items-center gap-2 rounded-md px-3 text-muted hover:text-ink"
          >
            <Icon name="inbox" className="size-5" />
            <span className="sr-only">{texts.nav.inbox}</span>
            <WaitingCount count={status?.inbox ?? 0} />
          </Link>
        </header>
        <ConnectionBanner />
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="scroll-quiet min-h-0 flex-1 overflow-y-auto outline-none"
        >
          <CurrentView route={route} />
        </main>
        {/* What is read fades out behind what is written. */}
        <div className="relative before:pointer-events-none before:absolute before:inset-x-0 before:-top-6 before:h-6 before:bg-linear-to-t before:from-paper before:to-transparent">
          <UpdateList />
          <Composer />
        </div>
      </DropZone>
    </div>
  );
}

function titleOf(route: Route): string {
  switch (route.view) {
    case "home":
      return texts.nav.home;
    case "file":
    case "folder":
      return nameOf(route.path);
    case "search":
      return texts.search.title;
    case "inbox":
      return texts.inbox.title;
    case "history":
      return texts.history.title;
  }
}
