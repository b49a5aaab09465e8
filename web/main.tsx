import "./styles.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { EVERYTHING, IS_TEAM, NOTHING, type Access } from "./api/access.ts";
import { LiveEvents } from "./api/live-events.ts";
import { ServicesContext, type Services } from "./api/services.ts";
import { Store } from "./api/store.ts";
import { startWorker } from "./app/app-worker.ts";
import { App } from "./app/app.tsx";
import { listenForInstall } from "./app/install.ts";
import { receiveShared } from "./app/receive-shared.ts";
import { Router } from "./app/router.ts";
import { sendDrafts } from "./app/send-drafts.ts";
import { ComposerModel } from "./composer/composer-model.ts";
import { UpdatesModel } from "./composer/updates-model.ts";
import { PaletteModel } from "./palette/palette-model.ts";
import { AskModel } from "./search/ask-model.ts";
import { StatusModel } from "./status/status-model.ts";
import { language } from "./texts/texts.ts";
import { FileList } from "./tree/file-list.ts";
import { TreeModel } from "./tree/tree-model.ts";

/** Milliseconds: by then the first view has requested its data. */
const AFTER_FIRST_PAINT = 400;

function startServices(): Services {
  const live = new LiveEvents();
  const router = new Router();
  const { view, query } = router.place.get();
  const isSearch = view === "search";
  const services = {
    live,
    // Until a team's service has said what this person may do.
    access: new Store<Access>(IS_TEAM ? NOTHING : EVERYTHING),
    router,
    status: new StatusModel(live),
    tree: new TreeModel(live),
    files: new FileList(live, () => new Date()),
    composer: new ComposerModel(
      isSearch ? "search" : "update",
      isSearch ? (query.get("q") ?? "") : "",
    ),
    updates: new UpdatesModel(live),
    ask: new AskModel(),
    palette: new PaletteModel(),
  };
  void services.tree.start();
  void services.status.load();
  sendDrafts(services);
  live.start();
  if (IS_TEAM) void import("./team/start-team.ts").then(({ startTeam }) => startTeam(services));
  listenForInstall();
  void receiveShared(services);
  window.setTimeout(() => {
    services.files.want();
    void services.updates.start();
    startWorker();
  }, AFTER_FIRST_PAINT);
  window.addEventListener("pagehide", () => services.files.keep());
  return services;
}

const root = document.querySelector("#root");
if (root === null) throw new Error("the document has no place for the page");
document.documentElement.lang = language;
createRoot(root).render(
  <StrictMode>
    <ServicesContext value={startServices()}>
      <App />
    </ServicesContext>
  </StrictMode>,
);
