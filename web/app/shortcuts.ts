import { useEffect } from "react";

import { useServices } from "../api/services.ts";
import {
  editAddress,
  historyAddress,
  HOME,
  inboxAddress,
  fileAddress,
  pathAt,
} from "./addresses.ts";
import { folderOf, isEditable } from "../tree/paths.ts";

const IS_APPLE = /Mac|iPhone|iPad/u.test(navigator.userAgent);

/** The name of the command key on this system. */
export const COMMAND_KEY = IS_APPLE ? "⌘" : "Ctrl";

export function hasCommandKey(event: Pick<KeyboardEvent, "ctrlKey" | "metaKey">): boolean {
  return event.ctrlKey || event.metaKey;
}

/** Milliseconds between the two keys of one shortcut. */
const SECOND_KEY = 1200;

/** The keys that work in every view; those without a command key only where nothing is written. */
export function useShortcuts(): void {
  const { access, composer, palette, router } = useServices();
  useEffect(() => {
    let goAt = -Infinity;
    const withCommand: Readonly<Record<string, () => void>> = {
      k: () => composer.focus("search"),
      o: () => palette.toggle("switcher"),
      p: () => palette.toggle("commands"),
    };
    const afterGo: Readonly<Record<string, () => void>> = {
      h: () => router.go(HOME),
      i: () => router.go(inboxAddress()),
      y: () => router.go(historyAddress()),
      f: () => {
        const path = pathAt(router.place.get());
        if (path !== null) router.go(fileAddress(folderOf(path)));
      },
    };
    const plain: Readonly<Record<string, () => void>> = {
      "?": () => palette.toggle("shortcuts"),
      e: () => {
        const path = pathAt(router.place.get());
        if (path !== null && isEditable(path) && access.get().mayWrite(path))
          router.go(editAddress(path));
      },
      n: () => composer.focus(access.get().mayAdd ? "update" : "search"),
      g: () => {
        goAt = performance.now();
      },
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const key = event.key.toLowerCase();
      const isWriting = isInput(event.target) || palette.open.get() !== null;
      const isGoing = performance.now() - goAt < SECOND_KEY;
      const isCommand = hasCommandKey(event) && !event.altKey && !event.shiftKey;
      const run = isCommand
        ? withCommand[key]
        : isWriting || hasCommandKey(event) || event.altKey
          ? undefined
          : ((isGoing ? afterGo[key] : undefined) ?? plain[key]);
      if (run === undefined) return;
      event.preventDefault();
      goAt = -Infinity;
      run();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [access, composer, palette, router]);
}

function isInput(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, [role=tree]") !== null)
  );
}
