import { lazy, Suspense, useEffect, useMemo, useRef, useState, type ReactNode } from "react";

import { IS_TEAM } from "../api/access.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { Composer } from "../composer/composer.tsx";
import { DropZone } from "../composer/drop-zone.tsx";
import { UpdateList } from "../composer/update-list.tsx";
import { rememberNote } from "../palette/recent-notes.ts";
import { texts } from "../texts/texts.ts";
import { Toasts } from "../ui/toasts.tsx";
import { pathAt } from "./addresses.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { useKeptScroll } from "./use-kept-scroll.ts";
import { titleAt, viewAt } from "./views.tsx";

/** Loaded when one of them is first opened. */
const Palette = lazy(async () => ({ default: (await import("../palette/palette.tsx")).Palette }));

/** Only where a team is. */
const ClosedView = lazy(async () => {
  try {
    return { default: (await import("../team/closed-view.tsx")).ClosedView };
  } catch {
    // Shut out before it was loaded: the service itself says how to come in.
    window.location.reload();
    return { default: () => null };
  }
});

/** The whole page: the vault on the left, what is read in the middle, the input below it. */
export function App(): ReactNode {
  const { router, tree, palette, live } = useServices();
  const isClosed = useStore(live.connection) === "shut-out" && IS_TEAM;
  const isPaletteOpen = useStore(palette.open) !== null;
  const place = useStore(router.place);
  // Not shown again when only the counts around it change.
  const view = useMemo(() => viewAt(place).show(place), [place]);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useShortcuts();

  useEffect(() => {
    document.title = `${titleAt(place)} · coffre`;
    const path = pathAt(place);
    if (path !== null) tree.reveal(path);
    if (place.view === "file") rememberNote(place.rest);
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

  if (isClosed)
    return (
      <Suspense>
        <ClosedView />
      </Suspense>
    );
  return (
    <div className="group/app flex h-dvh bg-paper">
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
      {isPaletteOpen ? (
        <Suspense>
          <Palette />
        </Suspense>
      ) : null}
      <Sidebar isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />
      <DropZone>
        <header className="border-b border-line px-5 py-2 md:hidden">
          <p className="truncate font-semibold">{titleAt(place)}</p>
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
          <Toasts />
          <UpdateList />
          <Composer isMenuOpen={isMenuOpen} onMenu={() => setMenuOpen(true)} />
        </div>
      </DropZone>
    </div>
  );
}
