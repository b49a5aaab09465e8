import { BASE } from "../api/base.ts";
import { Store } from "../api/store.ts";
import { placeAt, type Place } from "./addresses.ts";

/** Where the page is, and the browser's history of places. */
export class Router {
  readonly place = new Store<Place>(here());

  constructor() {
    window.addEventListener("popstate", () => this.place.set(here()));
  }

  go(address: string): void {
    const { pathname, search, hash } = window.location;
    if (BASE + address === pathname + search + hash) this.replace(address);
    else {
      window.history.pushState(null, "", BASE + address);
      this.place.set(here());
    }
  }

  /** Replaces the present entry of the browser's history: going back leads to the one before it. */
  replace(address: string): void {
    window.history.replaceState(null, "", BASE + address);
    this.place.set(here());
  }
}

function here(): Place {
  const url = new URL(window.location.href);
  url.pathname = url.pathname.slice(BASE.length);
  return placeAt(url);
}
