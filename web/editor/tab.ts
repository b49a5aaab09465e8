import { keep } from "../api/keep.ts";
import { Drafts } from "./drafts.ts";

const KEY = "coffre-tab";
const LOCK = "coffre-tab ";

/** This tab among those of the browser: its drafts are its own. */
export interface Tab {
  readonly drafts: Drafts;
  /** Whether another is open at present; none is where the browser cannot tell. */
  readonly isOpen: (tab: string) => boolean;
  /** False on a page without HTTPS, on another machine. */
  readonly canTell: boolean;
}

let opened: Promise<Drafts> | null = null;

/** The tab that this page is in, with the drafts of notes. */
export async function currentTab(): Promise<Tab> {
  opened ??= openTab();
  const drafts = await opened;
  const open = await openTabs();
  return { drafts, isOpen: (tab) => open.has(tab), canTell: "locks" in navigator };
}

async function openTab(): Promise<Drafts> {
  const kept = window.sessionStorage.getItem(KEY);
  // A tab that was copied has the name of the first, which is taken.
  const name = kept !== null && (await hold(kept)) ? kept : newName();
  if (name !== kept) await hold(name);
  keep(window.sessionStorage, KEY, name);
  return new Drafts(window.localStorage, name);
}

function newName(): string {
  return Array.from(window.crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(36),
  ).join("");
}

/** Holds the name of a tab until the tab is closed. True as well where the browser has no locks: on a page without HTTPS. */
async function hold(name: string): Promise<boolean> {
  if (!("locks" in navigator)) return true;
  return new Promise((resolve) => {
    void navigator.locks.request(LOCK + name, { ifAvailable: true }, async (lock) => {
      resolve(lock !== null);
      // For as long as the tab lives.
      if (lock !== null) await new Promise(() => {});
    });
  });
}

async function openTabs(): Promise<ReadonlySet<string>> {
  if (!("locks" in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  const names = held.map(({ name }) => name ?? "").filter((name) => name.startsWith(LOCK));
  return new Set(names.map((name) => name.slice(LOCK.length)));
}
