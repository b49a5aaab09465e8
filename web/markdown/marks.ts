import type { PhrasingContent } from "mdast";

const DELIMITER = /(?<!=)(==)(?!=)/u;

/** Joins `==` with the next `==`, whatever is marked between them; one that is alone stays. */
export function withMarks(nodes: readonly PhrasingContent[]): readonly PhrasingContent[] {
  if (!nodes.some((node) => node.type === "text" && node.value.includes("=="))) return nodes;
  const parts = nodes.flatMap((node): (PhrasingContent | "==")[] =>
    node.type === "text"
      ? node.value
          .split(DELIMITER)
          .filter((part) => part !== "")
          .map((part) => (part === "==" ? part : { ...node, value: part }))
      : [node],
  );
  const marked: PhrasingContent[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === undefined) break;
    if (part !== "==") {
      marked.push(part);
      continue;
    }
    const end = parts.indexOf("==", at + 1);
    const inside = parts.slice(at + 1, Math.max(at, end)).filter((each) => each !== "==");
    if (end < 0 || inside.length === 0 || !isTight(inside)) {
      marked.push({ type: "text", value: "==" });
      continue;
    }
    marked.push({ type: "mark", children: inside });
    at = end;
  }
  return marked;
}

/** No space within the delimiters, as in `a == b == c`. */
function isTight(nodes: readonly PhrasingContent[]): boolean {
  const [first, last] = [nodes[0], nodes.at(-1)];
  return !(
    (first?.type === "text" && /^\s/u.test(first.value)) ||
    (last?.type === "text" && /\s$/u.test(last.value))
  );
}
