import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { Composer } from "../composer/composer.tsx";
import { DropZone } from "../composer/drop-zone.tsx";
import { UpdateList } from "../composer/update-list.tsx";
import { texts } from "../texts/texts.ts";
import { Icon } from "../ui/icons.tsx";
import { inboxAddress, pathAt } from "./addresses.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { Link } from "./link.tsx";
import { Sidebar } from "./sidebar.tsx";
import { WaitingCount } from "./waiting-count.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { useKeptScroll } from "./use-kept-scroll.ts";
import { titleAt, viewAt } from "./views.tsx";

/** The whole page: the vault on the left, what is read in the middle, the input below it. */
export function App(): ReactNode {
  const { router, tree, status } = useServices();
  const place = useStore(router.place);
  // Not shown again when only the counts around it change.
  const view = useMemo(() => viewAt(place).show(place), [place]);
  const inbox = useStore(status.status)?.inbox ?? 0;
  const [isMenuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useShortcuts();

  useEffect(() => {
    document.title = `${titleAt(place)} · coffre`;
    const path = pathAt(place);
    if (path !== null) tree.reveal(path);
  }, [place, tree]);

  // Without the mark and the query: the view itself goes to other lines of its file.
  const name = `${place.view}/${place.rest}`;
  useKeptScroll(main, name);
  useEffect(() => {
    // A focused link that was removed with its view leaves no focus.
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [name]);
  useEffect(() => {
    if (place.view !== "folder") setMenuOpen(false);
  }, [place]);

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
      <Sidebar isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />
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
          <span className="truncate font-semibold">{titleAt(place)}</span>
          <Link
            to={inboxAddress()}
            className="ml-auto flex h-10 items-center gap-2 rounded-md px-3 text-muted hover:text-ink"
          >
            <Icon name="inbox" className="size-5" />
            <span className="sr-only">{texts.inbox.title}</span>
            <WaitingCount count={inbox} />
          </Link>
        </header>
        <ConnectionBanner />
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="scroll-quiet min-h-0 flex-1 overflow-y-auto outline-none"
        >
          {view}
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
