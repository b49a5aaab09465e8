import { useEffect } from "react";

import { useServices } from "../api/services.ts";

const IS_APPLE = /Mac|iPhone|iPad/u.test(navigator.userAgent);

/** The key that goes with others for what programs do: as it is called here. */
export const COMMAND_KEY = IS_APPLE ? "⌘" : "Ctrl";

export function hasCommandKey(event: Pick<KeyboardEvent, "ctrlKey" | "metaKey">): boolean {
  return event.ctrlKey || event.metaKey;
}

/** Ctrl/Cmd+K goes to the search, wherever one is. */
export function useShortcuts(): void {
  const { composer } = useServices();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!hasCommandKey(event) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      composer.focus("search");
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [composer]);
}
