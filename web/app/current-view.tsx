import type { ReactNode } from "react";

import { FileView } from "../file/file-view.tsx";
import { FolderView } from "../file/folder-view.tsx";
import { HistoryView } from "../history/history-view.tsx";
import { HomeView } from "../home/home-view.tsx";
import { InboxItemView } from "../inbox/inbox-item-view.tsx";
import { InboxView } from "../inbox/inbox-view.tsx";
import { SearchView } from "../search/search-view.tsx";
import type { Route } from "./route.ts";

export function CurrentView({ route }: { readonly route: Route }): ReactNode {
  switch (route.view) {
    case "home":
      return <HomeView />;
    case "file":
      return (
        <FileView key={route.path} path={route.path} lines={route.lines} anchor={route.anchor} />
      );
    case "folder":
      return <FolderView path={route.path} />;
    case "search":
      return <SearchView query={route.query} />;
    case "inbox":
      return route.ref === null ? <InboxView /> : <InboxItemView itemRef={route.ref} />;
    case "history":
      return <HistoryView key={route.path} path={route.path} />;
  }
}
