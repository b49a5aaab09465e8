import type { PhrasingContent } from "mdast";
import { Fragment, type ReactNode } from "react";

import { rawAddress } from "../api/request.ts";
import { Link } from "../app/link.tsx";
import { fileAddress } from "../app/addresses.ts";
import { isImage, ROOT } from "../tree/paths.ts";
import type { NoteContext } from "./note-context.ts";
import { plainText } from "./parse.ts";
import { targetOf, wikiTarget, type Target } from "./targets.ts";
import { splitWikiLinks } from "./wiki-links.ts";

/** Text with its marks, as elements: no text of a note is ever taken for HTML. */
export function renderInline(nodes: readonly PhrasingContent[], note: NoteContext): ReactNode {
  return nodes.map((node, index) => (
    // Siblings of one paragraph have no key but their index.
    <Fragment key={index}>{renderNode(node, note)}</Fragment>
  ));
}

function renderNode(node: PhrasingContent, note: NoteContext): ReactNode {
  switch (node.type) {
    case "text":
      return renderText(node.value, note);
    case "emphasis":
      return <em>{renderInline(node.children, note)}</em>;
    case "strong":
      return <strong>{renderInline(node.children, note)}</strong>;
    case "delete":
      return <del>{renderInline(node.children, note)}</del>;
    case "inlineCode":
      return renderCode(node.value, note);
    case "break":
      return <br />;
    case "html":
      return <span className="raw-html">{node.value}</span>;
    case "link":
      return (
        <TargetLink to={targetOf(node.url, note.file)}>
          {renderInline(node.children, note)}
        </TargetLink>
      );
    case "linkReference": {
      const definition = note.definitions.get(node.identifier);
      const inside = renderInline(node.children, note);
      if (definition === undefined) return <>[{inside}]</>;
      return <TargetLink to={targetOf(definition.url, note.file)}>{inside}</TargetLink>;
    }
    case "image":
      return renderImage(targetOf(node.url, note.file), node.alt ?? "", node.url);
    case "imageReference": {
      const url = note.definitions.get(node.identifier)?.url ?? "";
      return renderImage(targetOf(url, note.file), node.alt ?? "", url);
    }
    case "footnoteReference":
      return (
        <sup>
          <a href={`#fn-${node.identifier}`}>{node.label ?? node.identifier}</a>
        </sup>
      );
    default:
      return plainText(node);
  }
}

/** Code that is the path of a file leads there: agents write paths so. */
function renderCode(text: string, { known }: NoteContext): ReactNode {
  const path = text.startsWith(ROOT) ? text : ROOT + text;
  const code = <code>{text}</code>;
  return known?.has(path) === true ? <Link to={fileAddress(path)}>{code}</Link> : code;
}

/** `status: todo | prio: high`, or a short `deadline: 2026-11-25`: facts, one line each, as tasks have them. */
const FACTS = /^[\p{L}\p{N}_-]+ ?: (?:[^\n]*\S \| \S[^\n]*|[^\n]{1,40})$/u;

/** A line of facts stays a line; other lines flow on, however they were broken when they were written. */
function renderText(text: string, note: NoteContext): ReactNode {
  const lines = text.split("\n");
  if (!lines.slice(0, -1).some((line) => FACTS.test(line))) return renderLine(text, note);
  return lines.map((line, index) => (
    <Fragment key={index}>
      {renderLine(line, note)}
      {FACTS.test(line) && index < lines.length - 1 ? <br /> : "\n"}
    </Fragment>
  ));
}

function renderLine(text: string, note: NoteContext): ReactNode {
  if (!text.includes("[[")) return text;
  return splitWikiLinks(text).map((piece, index) => {
    if (piece.kind === "plain") return piece.text;
    const target = wikiTarget(piece.inside, note.file, note.known);
    const isShown = piece.isEmbedded && target.kind === "vault" && isImage(target.path);
    return (
      <Fragment key={index}>
        {isShown ? (
          renderImage(target, piece.label, piece.inside)
        ) : (
          <TargetLink to={target}>{piece.label}</TargetLink>
        )}
      </Fragment>
    );
  });
}

/** Images of the vault that are pixels are shown. Others, which would call on another server or may hold a script, are links. */
function renderImage(target: Target, alt: string, address: string): ReactNode {
  if (target.kind === "vault" && isImage(target.path)) {
    return <img src={rawAddress(target.path)} alt={alt} loading="lazy" />;
  }
  return <TargetLink to={target}>{alt === "" ? address : alt}</TargetLink>;
}

function TargetLink({
  to,
  children,
}: {
  readonly to: Target;
  readonly children: ReactNode;
}): ReactNode {
  if (to.kind === "none") return <span>{children}</span>;
  if (to.kind === "vault") return <Link to={fileAddress(to.path, to.mark)}>{children}</Link>;
  return (
    <a href={to.href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
