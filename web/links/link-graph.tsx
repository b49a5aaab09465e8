import type { ReactNode } from "react";

import type { LinksAnswer } from "../../src/server/api/contract.ts";
import { fileAddress } from "../app/addresses.ts";
import { Link } from "../app/link.tsx";
import { texts } from "../texts/texts.ts";
import { nameOf } from "../tree/paths.ts";
import { neighboursOf, type Neighbour } from "./graph-layout.ts";

const WIDTH = 640;
const HEIGHT = 300;
const [MIDDLE_X, MIDDLE_Y] = [WIDTH / 2, HEIGHT / 2];
const LONGEST_NAME = 22;

/** The notes around a note: a picture for the eye, and the same as a list. */
export function LinkGraph({
  path,
  links,
}: {
  readonly path: string;
  readonly links: LinksAnswer;
}): ReactNode {
  const { shown: neighbours, more } = neighboursOf(path, links);
  if (neighbours.length === 0) return null;
  return (
    <details className="mt-6">
      <summary className="cursor-pointer text-base font-semibold">{texts.links.graph}</summary>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        aria-hidden="true"
        className="mt-3 w-full rounded-lg border border-line bg-panel"
      >
        {neighbours.map((each) => {
          const { x, y } = placeOf(each);
          const dash = each.direction === "from" ? { strokeDasharray: "4 3" } : {};
          const ends = { x1: MIDDLE_X, y1: MIDDLE_Y, x2: x, y2: y };
          return <line key={each.path} {...ends} {...dash} className="stroke-strong-line" />;
        })}
        <circle cx={MIDDLE_X} cy={MIDDLE_Y} r={7} className="fill-accent" />
        <Name x={MIDDLE_X} y={MIDDLE_Y + 22} text={nameOf(path)} isMain />
        {neighbours.map((each) => {
          const { x, y } = placeOf(each);
          return (
            // The list below is the same for those who do not point.
            <Link key={each.path} to={fileAddress(each.path)} tabIndex={-1} className="group">
              <circle cx={x} cy={y} r={16} className="fill-transparent" />
              <circle cx={x} cy={y} r={4.5} className="fill-ink group-hover:fill-accent" />
              <Name x={x} y={y + (each.y > 0 ? 18 : -9)} text={nameOf(each.path)} />
            </Link>
          );
        })}
      </svg>
      <ul aria-label={texts.links.graph} className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
        {neighbours.map((each) => (
          <li key={each.path}>
            <Link
              to={fileAddress(each.path)}
              className="inline-block py-1 text-accent hover:underline"
            >
              <span aria-hidden="true">{{ to: "→", from: "←", both: "↔" }[each.direction]} </span>
              {nameOf(each.path).replace(/\.md$/u, "")}
              <span className="sr-only"> ({texts.links[each.direction]})</span>
            </Link>
          </li>
        ))}
        {more === 0 ? null : <li className="py-1 text-muted">{texts.links.more(more)}</li>}
      </ul>
    </details>
  );
}

function placeOf({ x, y }: Neighbour): { x: number; y: number } {
  return { x: MIDDLE_X + x * (WIDTH / 2 - 90), y: MIDDLE_Y + y * (HEIGHT / 2 - 36) };
}

function Name({
  x,
  y,
  text,
  isMain = false,
}: {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly isMain?: boolean;
}): ReactNode {
  const name = text.replace(/\.md$/u, "");
  const cut = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
  return (
    <text
      x={x}
      y={y}
      textAnchor="middle"
      className={`fill-ink text-xs max-sm:text-[18px] ${isMain ? "font-semibold" : ""}`}
    >
      {cut}
    </text>
  );
}
