import type { Blockquote, List, ListItem, Nodes, Paragraph, RootContent, Table } from "mdast";
import { createElement, Fragment, type ReactNode } from "react";

import { mediaKind } from "../file/media-view.tsx";
import { texts } from "../texts/texts.ts";
import { calloutIn, CalloutBox } from "./callouts.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Diagram } from "./embeds/diagram.tsx";
import { withBlockElements } from "./elements.ts";
import { elementOf } from "./html-element.tsx";
import { renderInline } from "./inline.tsx";
import { MathFormula } from "./embeds/math.tsx";
import type { NoteContext } from "./note-context.ts";
import { plainText, slugOf } from "./parse.ts";
import { targetOf } from "./targets.ts";
import { splitWikiLinks } from "./wiki-links.ts";

/** Headings have this before their name, so that no note can take the name of something of ours. */
export const HEADING_ID = "h-";

/**
 * The blocks of a note. A block's key is its own text: when a paragraph is added above, those below stay the same elements, and the browser
 * keeps what is read where it is.
 */
export function renderBlocks(
  nodes: readonly RootContent[],
  source: string,
  note: NoteContext,
): ReactNode {
  const seen = new Map<string, number>();
  return withBlockElements(nodes).map((node) => {
    const text = source.slice(node.position?.start.offset, node.position?.end.offset);
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return <Fragment key={`${count} ${text}`}>{renderBlock(node, source, note)}</Fragment>;
  });
}

/** A class for the lines that a link points to. */
function markOf(node: Nodes, { marked, linesBefore }: NoteContext): string | undefined {
  if (marked === null || node.position === undefined) return undefined;
  const start = node.position.start.line + linesBefore;
  const end = node.position.end.line + linesBefore;
  return start <= marked.end && end >= marked.start ? "marked" : undefined;
}

function renderBlock(node: RootContent, source: string, note: NoteContext): ReactNode {
  const className = markOf(node, note);
  switch (node.type) {
    case "paragraph":
      return renderParagraph(node, className, note);
    case "heading": {
      const id = HEADING_ID + slugOf(plainText(node));
      return createElement(`h${node.depth}`, { id, className }, renderInline(node.children, note));
    }
    case "blockquote":
      return renderQuote(node, source, note);
    case "list":
      return renderList(node, source, note);
    case "code":
      return node.lang === "mermaid" ? (
        <Diagram source={node.value} />
      ) : (
        <div className={className}>
          <CodeBlock language={node.lang ?? null} text={node.value} />
        </div>
      );
    case "table":
      return renderTable(node, note);
    case "thematicBreak":
      return <hr />;
    case "html":
      return <p className="raw-html">{node.value}</p>;
    case "math":
      return <MathFormula tex={node.value} isBlock />;
    case "blockElement":
      return elementOf(node, renderMixed(node.children, source, note), note.file);
    case "definition":
    case "footnoteDefinition":
      return null;
    // Never by themselves in a note that was parsed; their text is shown all the same.
    case "break":
    case "delete":
    case "emphasis":
    case "footnoteReference":
    case "image":
    case "imageReference":
    case "inlineCode":
    case "link":
    case "linkReference":
    case "inlineElement":
    case "inlineMath":
    case "listItem":
    case "mark":
    case "strong":
    case "tableCell":
    case "tableRow":
    case "text":
    case "yaml":
      return <p className={className}>{plainText(node)}</p>;
  }
}

/** A paragraph of nothing but an embedded file is that file; one that was a comment is nothing. */
function renderParagraph(
  node: Paragraph,
  className: string | undefined,
  note: NoteContext,
): ReactNode {
  const [only] = node.children;
  const isEmpty = node.children.length === 1 && only?.type === "text" && only.value.trim() === "";
  if (isEmpty) return null;
  return (
    renderEmbedded(node, note) ?? <p className={className}>{renderInline(node.children, note)}</p>
  );
}

/** Of a paragraph that is nothing else: a file in its place, as `![[note]]`, or as `![](recording.mp3)`. */
function renderEmbedded({ children }: Paragraph, note: NoteContext): ReactNode {
  const [only] = children;
  if (children.length !== 1) return null;
  if (only?.type === "image") {
    const to = targetOf(only.url, note.file);
    if (to.kind !== "vault" || mediaKind(to.path) === null) return null;
    return <note.embed inside={to.path} label={only.alt ?? ""} note={note} isBlock />;
  }
  if (only?.type !== "text") return null;
  const [piece, other] = splitWikiLinks(only.value.trim());
  if (piece?.kind !== "wiki" || !piece.isEmbedded || other !== undefined) return null;
  return <note.embed inside={piece.inside} label={piece.label} note={note} isBlock />;
}

function renderQuote(node: Blockquote, source: string, note: NoteContext): ReactNode {
  const callout = calloutIn(node);
  if (callout === null) return <blockquote>{renderBlocks(node.children, source, note)}</blockquote>;
  return (
    <CalloutBox callout={callout} title={renderInline(callout.title, note)}>
      {renderBlocks(callout.body, source, note)}
    </CalloutBox>
  );
}

/** What stands in an element of HTML: blocks, and text that is in no paragraph. */
function renderMixed(nodes: readonly RootContent[], source: string, note: NoteContext): ReactNode {
  return nodes.map((node, index) => (
    <Fragment key={index}>
      {node.type === "text" ? renderInline([node], note) : renderBlock(node, source, note)}
    </Fragment>
  ));
}

function renderList(list: List, source: string, note: NoteContext): ReactNode {
  const items = list.children.map((item, index) => (
    // Items are alike more often than blocks are, and short: their place will do.
    <Fragment key={index}>{renderItem(item, list, source, note)}</Fragment>
  ));
  return list.ordered === true ? <ol start={list.start ?? 1}>{items}</ol> : <ul>{items}</ul>;
}

function renderItem(item: ListItem, list: List, source: string, note: NoteContext): ReactNode {
  const [first] = item.children;
  const isTask = typeof item.checked === "boolean";
  const classes = [isTask ? "task" : "", first === undefined ? "" : (markOf(first, note) ?? "")];
  const className = classes.filter((name) => name !== "").join(" ");
  const isTight = list.spread !== true && item.spread !== true;
  const inside = item.children.map((child, index) => (
    <Fragment key={index}>
      {isTight && child.type === "paragraph"
        ? (renderEmbedded(child, note) ?? renderInline(child.children, note))
        : renderBlock(child, source, { ...note, marked: child === first ? null : note.marked })}
    </Fragment>
  ));
  return (
    <li className={className === "" ? undefined : className}>
      {isTask ? (
        <input
          type="checkbox"
          checked={item.checked === true}
          disabled={note.onTick === undefined}
          onChange={() => note.onTick?.(item.position?.start.line ?? 0, item.checked !== true)}
          aria-label={item.checked === true ? texts.note.taskDone : texts.note.taskOpen}
        />
      ) : null}
      {inside}
    </li>
  );
}

const ALIGNED: Readonly<Record<string, string>> = { right: "to-right", center: "to-centre" };

function renderTable(table: Table, note: NoteContext): ReactNode {
  const [head, ...rows] = table.children;
  const alignOf = (column: number): string | undefined => ALIGNED[table.align?.[column] ?? ""];
  return (
    // Reached with the keyboard, because a wide table is scrolled.
    <div className="table" role="region" aria-label={texts.note.table} tabIndex={0}>
      <table>
        <thead>
          <tr className={head === undefined ? undefined : markOf(head, note)}>
            {head?.children.map((cell, column) => (
              <th key={column} scope="col" className={alignOf(column)}>
                {renderInline(cell.children, note)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at} className={markOf(row, note)}>
              {row.children.map((cell, column) => (
                <td key={column} className={alignOf(column)}>
                  {renderInline(cell.children, note)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
