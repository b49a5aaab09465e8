import { Store } from "../api/store.ts";
import { addressOf, routeAt, type Route } from "./route.ts";

/** Which view is shown, and the browser's history of views. */
export class Router {
  readonly route = new Store<Route>(routeAt(new URL(window.location.href)));

  constructor() {
    window.addEventListener("popstate", () =>
      this.route.set(routeAt(new URL(window.location.href))),
    );
  }

  go(route: Route): void {
    const address = addressOf(route);
    const isSame =
      address === window.location.pathname + window.location.search + window.location.hash;
    if (isSame) window.history.replaceState(null, "", address);
    else window.history.pushState(null, "", address);
    this.route.set(route);
  }

  /** Shows another view in the place of this one: going back leads to what was before both. */
  replace(route: Route): void {
    window.history.replaceState(null, "", addressOf(route));
    this.route.set(route);
  }
}
