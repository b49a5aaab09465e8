import { Store } from "../api/store.ts";

/** What Chromium hands out when the page can be installed. It is in no standard, so no types have it. */
interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>;
}

/** How the page can be installed as an app: by our button, by the browser's own menu, or not without HTTPS. */
export type InstallWay = "button" | "menu" | "unsafe" | "installed";

const offered = new Store<InstallPrompt | null>(null);

/** Keeps the browser's offer for when somebody asks for it, instead of a bar that comes by itself. */
export function listenForInstall(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    if (isPrompt(event)) offered.set(event);
  });
  window.addEventListener("appinstalled", () => offered.set(null));
}

function isPrompt(event: Event): event is InstallPrompt {
  return "prompt" in event && typeof event.prompt === "function";
}

export function installWay(): InstallWay {
  if (!window.isSecureContext) return "unsafe";
  if (window.matchMedia("(display-mode: standalone)").matches) return "installed";
  return offered.get() === null ? "menu" : "button";
}

/** Shows the browser's own question. */
export async function install(): Promise<void> {
  await offered.get()?.prompt();
  offered.set(null);
}
