import { Drafts } from "./drafts.ts";

const KEY = "coffre-tab";
const LOCK = "coffre-tab ";

/** This tab among those of the browser: its drafts are its own. */
export interface Tab {
  readonly drafts: Drafts;
  readonly isOpen: (tab: string) => boolean;
}

let opened: Promise<Tab> | null = null;

/** The tab that this page is in, with the drafts of notes. */
export async function currentTab(): Promise<Tab> {
  opened ??= openTab();
  return opened;
}

async function openTab(): Promise<Tab> {
  const kept = window.sessionStorage.getItem(KEY);
  // A tab that was copied has the name of the first, which is taken.
  const name = kept !== null && (await hold(kept)) ? kept : newName();
  if (name !== kept) await hold(name);
  window.sessionStorage.setItem(KEY, name);
  const open = await openTabs();
  return { drafts: new Drafts(window.localStorage, name), isOpen: (tab) => open.has(tab) };
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
