import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

/** Text, or parts of one colour. */
export type HighlightedPart =
  | string
  | { readonly className: string; readonly parts: readonly HighlightedPart[] };

/** What notes have in them; each costs the page a few kilobytes, once code is first shown. */
const lowlight = createLowlight({
  bash,
  css,
  diff,
  ini,
  javascript,
  json,
  markdown,
  python,
  sql,
  typescript,
  xml,
  yaml,
});

type Children = ReturnType<typeof lowlight.highlight>["children"];

/** Code in coloured parts; null when its language is not known. */
export function highlight(language: string, text: string): readonly HighlightedPart[] | null {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return null;
  return partsOf(lowlight.highlight(name, text, { prefix: "hl-" }).children);
}

function partsOf(nodes: Children): HighlightedPart[] {
  return nodes.flatMap((node): HighlightedPart[] => {
    if (node.type === "text") return [node.value];
    if (node.type !== "element") return [];
    const { className } = node.properties;
    const names = Array.isArray(className) ? className.join(" ") : "";
    return [{ className: names, parts: partsOf(node.children) }];
  });
}
