import { createElement, type ReactNode } from "react";

import { isVoid } from "./html-tags.ts";
import type { BlockElement, InlineElement } from "./nodes.ts";
import { Picture } from "./embeds/picture.tsx";
import { TargetLink } from "./target-link.tsx";
import { targetOf } from "./targets.ts";

/** A harmless element of HTML. Its links and images follow the rules of those of markdown. */
export function elementOf(
  { name, attributes }: InlineElement | BlockElement,
  children: ReactNode,
  file: string,
): ReactNode {
  const { href = "", src = "", alt = "", title, start, open } = attributes;
  if (name === "a") return <TargetLink to={targetOf(href, file)}>{children}</TargetLink>;
  if (name === "img") {
    const size = { ...numbered("width", attributes), ...numbered("height", attributes) };
    return <Picture to={targetOf(src, file)} alt={alt} address={src} size={size} />;
  }
  const given = {
    ...(title === undefined ? {} : { title }),
    ...(start !== undefined && name === "ol" ? { start: Number.parseInt(start, 10) || 1 } : {}),
    ...(open !== undefined && name === "details" ? { open: true } : {}),
    ...(name === "td" || name === "th" ? spans(attributes) : {}),
  };
  // `center` is of another age; it still stands in many notes.
  if (name === "center") return <div className="centred">{children}</div>;
  return isVoid(name) ? createElement(name, given) : createElement(name, given, children);
}

function numbered(
  key: "width" | "height",
  attributes: Readonly<Record<string, string>>,
): { readonly width?: number; readonly height?: number } {
  const value = attributes[key] ?? "";
  return /^\d{1,4}(?:px)?$/u.test(value) ? { [key]: Number.parseInt(value, 10) } : {};
}

function spans({ colspan = "", rowspan = "" }: Readonly<Record<string, string>>): {
  readonly colSpan?: number;
  readonly rowSpan?: number;
} {
  return {
    ...(/^\d{1,3}$/u.test(colspan) ? { colSpan: Number(colspan) } : {}),
    ...(/^\d{1,3}$/u.test(rowspan) ? { rowSpan: Number(rowspan) } : {}),
  };
}
