import { use, type ComponentProps, type MouseEvent, type ReactNode } from "react";

import { ServicesContext } from "../api/services.ts";
import { addressOf, type Route } from "./route.ts";

interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  readonly to: Route;
}

/** A link to a view of the page. With a key held down it is the browser's: another tab, a download. */
export function Link({ to, onClick, children, ...rest }: LinkProps): ReactNode {
  const services = use(ServicesContext);
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isBrowsers = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (isBrowsers || event.button !== 0 || event.defaultPrevented) return;
    if (services === null) return;
    event.preventDefault();
    services.router.go(to);
  };
  return (
    <a {...rest} href={addressOf(to)} onClick={follow}>
      {children}
    </a>
  );
}
