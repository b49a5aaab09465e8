import { localDay } from "../../text/local-time.ts";
import { slugOf } from "../../text/slug.ts";

/** The base of a note's name: the day it came, and what it is called. A name that begins with a day keeps its own. */
export function datedName(title: string, now: Date): string {
  const slug = slugOf(title, "file");
  return /^\d{4}-\d\d-\d\d(?:-|$)/u.test(slug) ? slug : `${localDay(now)}-${slug}`;
}

/** `Devis été.pdf` without the folders some programs put before it, and without its extension. */
export function stemOf(name: string): string {
  const base = baseOf(name);
  const dot = base.lastIndexOf(".");
  return dot > 0 ? base.slice(0, dot) : base;
}

export function baseOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
}
