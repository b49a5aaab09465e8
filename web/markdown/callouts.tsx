import type { Blockquote, PhrasingContent } from "mdast";
import type { ReactNode } from "react";

/** `> [!warning]- Title`: a box with a title, which may be folded. */
export interface Callout {
  readonly type: string;
  readonly title: readonly PhrasingContent[];
  /** Null when it cannot be folded. */
  readonly isOpen: boolean | null;
  readonly body: Blockquote["children"];
}

const HEAD = /^\[!([\w-]{1,40})\]([+-]?)[ \t]*/u;

/** Null for a quotation. */
export function calloutIn({ children }: Blockquote): Callout | null {
  const [first, ...others] = children;
  if (first?.type !== "paragraph") return null;
  const [begin, ...rest] = first.children;
  if (begin?.type !== "text") return null;
  const [head, type = "", fold = ""] = HEAD.exec(begin.value) ?? [];
  if (head === undefined) return null;
  const [title, body] = firstLine([{ ...begin, value: begin.value.slice(head.length) }, ...rest]);
  const own = body.length === 0 ? [] : [{ ...first, children: body }];
  const isOpen = fold === "" ? null : fold === "+";
  return { type: type.toLowerCase(), title, isOpen, body: [...own, ...others] };
}

/** What stands before the first line break, and after it. */
function firstLine(nodes: readonly PhrasingContent[]): [PhrasingContent[], PhrasingContent[]] {
  const at = nodes.findIndex(
    (node) => node.type === "break" || (node.type === "text" && node.value.includes("\n")),
  );
  const node = nodes[at];
  if (node === undefined) return [nodes.filter(isThere), []];
  const [before, after] = [nodes.slice(0, at), nodes.slice(at + 1)];
  if (node.type !== "text") return [before.filter(isThere), after];
  const cut = node.value.indexOf("\n");
  return [
    [...before, { ...node, value: node.value.slice(0, cut) }].filter(isThere),
    [{ ...node, value: node.value.slice(cut + 1) }, ...after].filter(isThere),
  ];
}

function isThere(node: PhrasingContent): boolean {
  return node.type !== "text" || node.value !== "";
}

const LOOKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    good: "tip hint important success check done",
    warn: "warning caution attention question help faq",
    bad: "danger error bug failure fail missing",
    quiet: "quote cite example abstract summary tldr",
  }).flatMap(([look, types]) => types.split(" ").map((type) => [type, look] as const)),
);

interface CalloutBoxProps {
  readonly callout: Callout;
  readonly title: ReactNode;
  readonly children: ReactNode;
}

export function CalloutBox({ callout, title, children }: CalloutBoxProps): ReactNode {
  const { type, isOpen, body } = callout;
  const look = LOOKS.get(type) ?? "note";
  const className = `callout callout-${look}`;
  const name = type.charAt(0).toUpperCase() + type.slice(1).replaceAll("-", " ");
  const shown = callout.title.length === 0 ? name : title;
  const inside = body.length === 0 ? null : <div className="callout-body">{children}</div>;
  if (isOpen === null) {
    return (
      <div className={className} role="note">
        <p className="callout-title">{shown}</p>
        {inside}
      </div>
    );
  }
  return (
    <details className={className} open={isOpen}>
      <summary className="callout-title">{shown}</summary>
      {inside}
    </details>
  );
}
