import { useEffect } from "react";

import { useServices } from "../api/services.ts";

const IS_APPLE = /Mac|iPhone|iPad/u.test(navigator.userAgent);

/** The name of the command key on this system. */
export const COMMAND_KEY = IS_APPLE ? "⌘" : "Ctrl";

export function hasCommandKey(event: Pick<KeyboardEvent, "ctrlKey" | "metaKey">): boolean {
  return event.ctrlKey || event.metaKey;
}

/** Ctrl/Cmd+K focuses the search in every view. */
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
