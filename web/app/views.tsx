import { lazy, Suspense, type ReactNode } from "react";

import type { Status } from "../../src/server/api/contract.ts";
import { IS_TEAM } from "../api/access.ts";
import { FileView } from "../file/file-view.tsx";
import { FolderView } from "../file/folder-view.tsx";
import { HistoryView } from "../history/history-view.tsx";
import { HomeView } from "../home/home-view.tsx";
import { InboxItemView } from "../inbox/inbox-item-view.tsx";
import { InboxView } from "../inbox/inbox-view.tsx";
import { SearchView } from "../search/search-view.tsx";
import { texts } from "../texts/texts.ts";
import { nameOf } from "../tree/paths.ts";
import type { IconName } from "../ui/icons.tsx";
import { Loading } from "../ui/notice.tsx";
import { linesIn, pathAt, type Place } from "./addresses.ts";
import { NotFoundView } from "./not-found-view.tsx";

/** Only where a team is. */
const SettingsView = lazy(async () => ({
  default: (await import("../team/settings/settings-view.tsx")).SettingsView,
}));

/** A view of the page. */
export interface View {
  /** The first part of its address. */
  readonly name: string;
  /** Left out by views of a file or folder: they are titled by its name. */
  readonly title?: string;
  readonly show: (place: Place) => ReactNode;
  /** Its icon in the sidebar; a view without one is not listed there. */
  readonly icon?: IconName;
  /** What its link in the sidebar counts. */
  readonly count?: (status: Status) => number;
}

const HOME_VIEW: View = {
  name: "home",
  title: texts.nav.home,
  icon: "home",
  show: () => <HomeView />,
};

const SETTINGS_VIEW: View = {
  name: "settings",
  title: texts.nav.settings,
  show: ({ rest }) => (
    <Suspense fallback={<Loading />}>
      <SettingsView part={rest} />
    </Suspense>
  ),
};

/** All views; those with an icon are in the sidebar, in this order. */
export const VIEWS: readonly View[] = [
  HOME_VIEW,
  {
    name: "inbox",
    title: texts.inbox.title,
    icon: "inbox",
    count: ({ inbox }) => inbox,
    show: ({ rest }) => (rest === "" ? <InboxView /> : <InboxItemView itemRef={rest} />),
  },
  {
    name: "history",
    title: texts.history.title,
    icon: "history",
    show: ({ query }) => <HistoryView key={query.get("path")} path={query.get("path")} />,
  },
  {
    name: "search",
    title: texts.search.title,
    show: ({ query }) => <SearchView query={query.get("q") ?? ""} />,
  },
  {
    // Where what other apps share arrives; it goes on to the first view with it.
    name: "share",
    title: texts.nav.home,
    show: () => <HomeView />,
  },
  {
    name: "file",
    show: ({ rest, mark, query }) => {
      const lines = linesIn(mark);
      const anchor = mark === "" || lines !== null ? null : mark;
      const isEditing = query.has("edit");
      return (
        <FileView key={rest} path={rest} lines={lines} anchor={anchor} isEditing={isEditing} />
      );
    },
  },
  {
    name: "folder",
    show: (place) => <FolderView path={pathAt(place) ?? ""} />,
  },
  ...(IS_TEAM ? [SETTINGS_VIEW] : []),
];

export function titleAt(place: Place): string {
  return viewAt(place).title ?? nameOf(place.rest);
}

const UNKNOWN_VIEW: View = {
  name: "",
  title: texts.unknown.title,
  show: () => <NotFoundView />,
};

/** The view at a place; one that says so when there is none of its name. */
export function viewAt({ view }: Place): View {
  return VIEWS.find(({ name }) => name === view) ?? UNKNOWN_VIEW;
}
