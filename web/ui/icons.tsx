import type { ReactNode } from "react";

/** Drawn on a grid of 16, one stroke, in the colour of the text around them. */
const SHAPES = {
  home: "M2.5 7.5 8 3l5.5 4.5V13h-4V9.5h-3V13h-4z",
  inbox: "M2.5 9 4 3.5h8L13.5 9v4h-11zM2.5 9H6c0 1.2.8 2 2 2s2-.8 2-2h3.5",
  history: "M3 8a5 5 0 1 0 1.5-3.5L3 6M3 3v3h3M8 5.5V8l1.8 1.2",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14",
  chevron: "M6 4l4 4-4 4",
  file: "M4 2.5h5L12 5.5v8H4zM9 2.5v3h3",
  folder: "M2.5 4h4l1.2 1.5h5.8V13h-11z",
  image: "M2.5 3.5h11v9h-11zM2.5 11l3.2-3 2.5 2.2L11 8l2.5 2.4M6 6.2h.01",
  lines: "M6 4h7.5M6 8h7.5M6 12h7.5M2.8 4h.01M2.8 8h.01M2.8 12h.01",
  attach:
    "M12.5 7.2 8 11.7a2.8 2.8 0 0 1-4-4l4.8-4.8a1.9 1.9 0 0 1 2.7 2.7L6.8 10.3a.9.9 0 0 1-1.3-1.3l4.2-4.2",
  send: "M8 13V3M4 7l4-4 4 4",
  close: "M4 4l8 8M12 4l-8 8",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  undo: "M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M3 6.5 6 3.5M3 6.5l3 3",
  check: "M3 8.5 6.5 12 13 4.5",
  warning: "M8 2.5 14 13H2zM8 6.5v3M8 11.3h.01",
  pencil: "M3 13l.7-2.8L10.5 3.4l2.1 2.1-6.8 6.8z",
  go: "M3 8h9M8.5 4.5 12 8l-3.5 3.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  external: "M9 3h4v4M13 3 7.5 8.5M6 4H3v9h9v-3",
} as const;

export type IconName = keyof typeof SHAPES;

interface IconProps {
  readonly name: IconName;
  readonly className?: string;
}

/** Hidden from screen readers: the text beside it says the same. */
export function Icon({ name, className = "size-4" }: IconProps): ReactNode {
  return (
    <svg
      viewBox="0 0 16 16"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
