import { useMemo, type ReactNode } from "react";

import { rawAddress } from "../api/request.ts";
import { TargetLink } from "../markdown/target-link.tsx";
import { targetOf, type Target } from "../markdown/targets.ts";
import { texts } from "../texts/texts.ts";
import { isImage, nameOf, ROOT } from "../tree/paths.ts";
import { readCanvas, type CanvasCard } from "./canvas-model.ts";

interface CanvasProps {
  readonly text: string;
  /** The canvas's own path. */
  readonly file: string;
}

/** The six colours of canvases, as classes; another one is left out. */
const COLOURS = new Set(["1", "2", "3", "4", "5", "6"]);

/** A canvas as a picture of its cards: what is on each is text, so nothing of it acts. */
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
      {edges.map(({ from, to, label }, index) => (
        <g key={index}>
          <line
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
            className="canvas-edge"
            markerEnd="url(#canvas-arrow)"
          />
          {label === "" ? null : (
            <text
              x={(from.x + to.x) / 2}
              y={(from.y + to.y) / 2 - 6}
              textAnchor="middle"
              className="canvas-label"
            >
              {label}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function Card({ card, file }: { readonly card: CanvasCard; readonly file: string }): ReactNode {
  const { kind, x, y, width, height, text, colour } = card;
  const look = COLOURS.has(colour) ? ` canvas-${colour}` : "";
  return (
    <g>
      <rect x={x} y={y} width={width} height={height} rx={10} className={`canvas-${kind}${look}`} />
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

function CardContent({
  card,
  file,
}: {
  readonly card: CanvasCard;
  readonly file: string;
}): ReactNode {
  const { kind, text } = card;
  if (kind === "text") return text;
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
