import type { PhrasingContent } from "mdast";
import { Fragment, type ReactNode } from "react";

import { Link } from "../app/link.tsx";
import { fileAddress, searchAddress } from "../app/addresses.ts";
import { ROOT } from "../tree/paths.ts";
import { withInlineElements } from "./elements.ts";
import { elementOf } from "./html-element.tsx";
import { withMarks } from "./marks.ts";
import { MathFormula } from "./embeds/math.tsx";
import { footnoteName } from "./footnote-name.ts";
import type { NoteContext } from "./note-context.ts";
import { plainText } from "./parse.ts";
import { Picture } from "./embeds/picture.tsx";
import { TargetLink } from "./target-link.tsx";
import { meant, targetOf, wikiTarget } from "./targets.ts";
import { splitWikiLinks } from "./wiki-links.ts";

/** Text with its marks, as elements: no text of a note is ever taken for HTML. */
export function renderInline(nodes: readonly PhrasingContent[], note: NoteContext): ReactNode {
  return withMarks(withInlineElements(nodes)).map((node, index) => (
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
    case "mark":
      return <mark>{renderInline(node.children, note)}</mark>;
    case "inlineMath":
      return <MathFormula tex={node.value} isBlock={false} />;
    case "inlineElement":
      return elementOf(node, renderInline(node.children, note), note.file);
    case "link":
      return (
        <TargetLink to={meant("markdown", node.url, targetOf(node.url, note.file), note)}>
          {renderInline(node.children, note)}
        </TargetLink>
      );
    case "linkReference": {
      const definition = note.definitions.get(node.identifier);
      const inside = renderInline(node.children, note);
      if (definition === undefined) return <>[{inside}]</>;
      const to = meant("markdown", definition.url, targetOf(definition.url, note.file), note);
      return <TargetLink to={to}>{inside}</TargetLink>;
    }
    case "image":
      return <Picture to={targetOf(node.url, note.file)} alt={node.alt ?? ""} address={node.url} />;
    case "imageReference": {
      const url = note.definitions.get(node.identifier)?.url ?? "";
      return <Picture to={targetOf(url, note.file)} alt={node.alt ?? ""} address={url} />;
    }
    case "footnoteReference": {
      const name = footnoteName(node.identifier, note);
      return (
        <sup id={`fnref-${name}`}>
          <a href={`#fn-${name}`}>{node.label ?? node.identifier}</a>
        </sup>
      );
    }
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
  if (!text.includes("[[")) return renderTags(text, note);
  return splitWikiLinks(text).map((piece, index) => (
    <Fragment key={index}>
      {piece.kind === "plain" ? (
        renderTags(piece.text, note)
      ) : piece.isEmbedded ? (
        <note.embed inside={piece.inside} label={piece.label} note={note} isBlock={false} />
      ) : (
        <TargetLink
          to={meant("wiki", piece.inside, wikiTarget(piece.inside, note.file, note.known), note)}
        >
          {piece.label}
        </TargetLink>
      )}
    </Fragment>
  ));
}

/** A tag begins a word, and is no number: `#oak`, `#garden/oak`, not `#12`. */
const TAG = /(?<![\p{L}\p{N}_&/#-])#(?=[\p{L}\p{N}_/-]*[\p{L}_])([\p{L}\p{N}_/-]+)/gu;

function renderTags(text: string, { highlight }: NoteContext): ReactNode {
  const shown = (part: string): ReactNode => highlight?.(part) ?? part;
  if (!text.includes("#")) return shown(text);
  return text.split(TAG).map((part, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{shown(part)}</Fragment>
    ) : (
      <Link key={index} to={searchAddress(`tag:${part}`)} className="tag">
        #{part}
      </Link>
    ),
  );
}
