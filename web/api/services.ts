import { createContext, use } from "react";

import type { ComposerModel } from "../composer/composer-model.ts";
import type { Router } from "../app/router.ts";
import type { FileList } from "../tree/file-list.ts";
import type { TreeModel } from "../tree/tree-model.ts";
import type { UpdatesModel } from "../composer/updates-model.ts";
import type { PaletteModel } from "../palette/palette-model.ts";
import type { AskModel } from "../search/ask-model.ts";
import type { StatusModel } from "../status/status-model.ts";
import type { Access } from "./access.ts";
import type { LiveEvents } from "./live-events.ts";
import type { Store } from "./store.ts";

/** What all views share, made once when the page starts. */
export interface Services {
  readonly live: LiveEvents;
  /** What this person may change: everything in a vault of their own. */
  readonly access: Store<Access>;
  readonly router: Router;
  readonly status: StatusModel;
  readonly tree: TreeModel;
  readonly files: FileList;
  readonly composer: ComposerModel;
  readonly updates: UpdatesModel;
  readonly ask: AskModel;
  readonly palette: PaletteModel;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === null) throw new Error("outside of the page");
  return services;
}
