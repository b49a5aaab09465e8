import { use, type ComponentProps, type MouseEvent, type ReactNode } from "react";

import { BASE } from "../api/base.ts";
import { ServicesContext } from "../api/services.ts";

interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  /** An address of the page. */
  readonly to: string;
}

/** A link to a view of the page. With a modifier key the browser handles it: another tab, a download. */
export function Link({ to, onClick, children, ...rest }: LinkProps): ReactNode {
  const services = use(ServicesContext);
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (isModified || event.button !== 0 || event.defaultPrevented) return;
    if (services === null) return;
    event.preventDefault();
    services.router.go(to);
  };
  return (
    <a {...rest} href={BASE + to} onClick={follow}>
      {children}
    </a>
  );
}
