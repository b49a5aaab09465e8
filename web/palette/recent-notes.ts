import { keptAs } from "../api/base.ts";
import { keep } from "../api/keep.ts";

/** In this browser: what somebody read last is nobody else's business. */
const RECENT = keptAs("coffre-recent");
const MOST = 20;

/** The notes that were opened last, newest first. */
export function recentNotes(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(RECENT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

export function rememberNote(path: string): void {
  const others = recentNotes().filter((each) => each !== path);
  keep(window.localStorage, RECENT, JSON.stringify([path, ...others].slice(0, MOST)));
}
