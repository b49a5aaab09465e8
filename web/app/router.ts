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
    if (address === pathname + search + hash) this.replace(address);
    else {
      window.history.pushState(null, "", address);
      this.place.set(here());
    }
  }

  /** Replaces the present entry of the browser's history: going back leads to the one before it. */
  replace(address: string): void {
    window.history.replaceState(null, "", address);
    this.place.set(here());
  }
}

function here(): Place {
  return placeAt(new URL(window.location.href));
}
