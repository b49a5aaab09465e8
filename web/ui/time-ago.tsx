import { useEffect, useState, type ReactNode } from "react";

import { locale } from "../texts/texts.ts";
import { formatAgo, formatMoment } from "./format.ts";

/** Milliseconds between updates. */
const LOOK = 20_000;

/** @param at as the service gives it: local or with a zone */
export function TimeAgo({ at }: { readonly at: string }): ReactNode {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(new Date()), LOOK);
    return () => window.clearInterval(timer);
  }, []);
  const then = new Date(at);
  return (
    <time dateTime={at} title={formatMoment(then, locale)}>
      {formatAgo(then, now, locale)}
    </time>
  );
}
