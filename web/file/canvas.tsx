import { useMemo, type ReactNode } from "react";

import { rawAddress } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { renderBlocks } from "../markdown/blocks.tsx";
import type { EmbedProps } from "../markdown/note-context.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { TargetLink } from "../markdown/target-link.tsx";
import { meant, targetOf, wikiTarget, type Target } from "../markdown/targets.ts";
import { texts } from "../texts/texts.ts";
import { isImage, nameOf, ROOT } from "../tree/paths.ts";
import { readCanvas, type CanvasCard, type CanvasEdge } from "./canvas-model.ts";

interface CanvasProps {
  readonly text: string;
  /** The canvas's own path. */
  readonly file: string;
}

/** The six colours of canvases, as classes. */
const COLOURS = new Set(["1", "2", "3", "4", "5", "6"]);
const ARROW = "url(#canvas-arrow)";

function lookOf(colour: string): string {
  return COLOURS.has(colour) ? ` canvas-${colour}` : "";
}

/** A colour of its own; whatever else stands in its place is left out. */
function strokeOf(colour: string): { stroke: string } | undefined {
  return /^#[\da-f]{6}$/iu.test(colour) ? { stroke: colour } : undefined;
}

/** A canvas as a picture of its cards: what is on each is shown as in notes, so nothing of it acts. */
export function Canvas({ text, file }: CanvasProps): ReactNode {
  const picture = useMemo(() => readCanvas(text), [text]);
  if (picture === null) return <p className="text-muted">{texts.file.noCanvas}</p>;
  const { cards, edges, box } = picture;
  if (cards.length === 0) return <p className="text-muted">{texts.file.emptyCanvas}</p>;
  return (
    <svg viewBox={box.join(" ")} className="canvas" role="group" aria-label={nameOf(file)}>
      <defs>
        <marker
          id="canvas-arrow"
          viewBox="0 0 10 10"
          refX="9"
          refY="5"
          markerWidth="8"
          markerHeight="8"
          orient="auto-start-reverse"
        >
          <path d="M0 0 10 5 0 10z" className="canvas-arrow" />
        </marker>
      </defs>
      {cards.map((card, index) => (
        <Card key={index} card={card} file={file} />
      ))}
      {edges.map(({ from, to, label, arrows, colour }, index) => (
        <g key={index}>
          <line
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
            className={`canvas-edge${lookOf(colour)}`}
            style={strokeOf(colour)}
            markerStart={arrows.from ? ARROW : undefined}
            markerEnd={arrows.to ? ARROW : undefined}
          />
          {label === "" ? null : <EdgeLabel from={from} to={to} label={label} />}
        </g>
      ))}
    </svg>
  );
}

/** Pixels from a line to its label: more than half of an arrow's head. */
const BESIDE = 18;

/** Above a flat line, and to the right of a steep one, so that neither line nor arrow goes through it. */
function EdgeLabel({ from, to, label }: Pick<CanvasEdge, "from" | "to" | "label">): ReactNode {
  const isSteep = Math.abs(to.y - from.y) > Math.abs(to.x - from.x);
  return (
    <text
      x={(from.x + to.x) / 2 + (isSteep ? BESIDE : 0)}
      y={(from.y + to.y) / 2 - (isSteep ? 0 : BESIDE)}
      textAnchor={isSteep ? "start" : "middle"}
      className="canvas-label"
    >
      {label}
    </text>
  );
}

function Card({ card, file }: { readonly card: CanvasCard; readonly file: string }): ReactNode {
  const { kind, x, y, width, height, text, colour } = card;
  const className = `canvas-${kind}${lookOf(colour)}`;
  return (
    <g>
      <rect {...{ x, y, width, height, className }} rx={10} style={strokeOf(colour)} />
      {kind === "group" ? (
        <text x={x + 4} y={y - 10} className="canvas-label">
          {text}
        </text>
      ) : (
        <foreignObject x={x} y={y} width={width} height={height}>
          <div className="canvas-content">
            <CardContent card={card} file={file} />
          </div>
        </foreignObject>
      )}
    </g>
  );
}

/** A card has no other file in it, only links to them. */
function LinkedEmbed({ inside, label, note }: EmbedProps): ReactNode {
  const target = meant("wiki", inside, wikiTarget(inside, note.file, note.known), note);
  return <TargetLink to={target}>{label}</TargetLink>;
}

/** A card as notes look. */
function CardText({ text, file }: { readonly text: string; readonly file: string }): ReactNode {
  const { files } = useServices();
  const known = useStore(files.paths);
  const shown = useMemo(() => {
    const parsed = parseMarkdown(text);
    const place = { file, known, linesBefore: 0, marked: null };
    return renderBlocks(parsed.root.children, text, { ...parsed, ...place, embed: LinkedEmbed });
  }, [text, file, known]);
  return <div className="passage prose">{shown}</div>;
}

function CardContent({
  card,
  file,
}: {
  readonly card: CanvasCard;
  readonly file: string;
}): ReactNode {
  const { kind, text } = card;
  if (kind === "text") return <CardText text={text} file={file} />;
  if (kind === "link") return <TargetLink to={targetOf(text, file)}>{text}</TargetLink>;
  const [path = "", ...mark] = text.split("#");
  const target: Target = targetOf(`/${path.split("/").map(encodeURIComponent).join("/")}`, file);
  const named: Target =
    target.kind === "vault" && mark.length > 0 ? { ...target, mark: mark.join("#") } : target;
  return (
    <>
      <TargetLink to={named}>{nameOf(path)}</TargetLink>
      {isImage(path) ? (
        <img src={rawAddress(ROOT + path)} alt={nameOf(path)} loading="lazy" />
      ) : null}
    </>
  );
}
