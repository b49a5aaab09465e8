import type { ReactNode } from "react";

interface AvatarProps {
  readonly name: string;
  /** Somebody who is doing something. */
  readonly isActive?: boolean;
}

/** The initials of somebody. Their name stands beside it, or is said by what it is in. */
export function Avatar({ name, isActive = false }: AvatarProps): ReactNode {
  return (
    <span
      aria-hidden="true"
      className={`grid size-7 shrink-0 place-items-center rounded-full border text-[0.6875rem] font-semibold ${isActive ? "border-accent bg-accent-soft text-ink" : "border-line bg-code text-muted"}`}
    >
      {initialsOf(name)}
    </span>
  );
}

/** `Ada Lovelace` is `AL`. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s-]+/u).filter((word) => word !== "");
  const first = [words.at(0), words.length > 1 ? words.at(-1) : undefined];
  return first
    .map((word) => Array.from(word ?? "").at(0) ?? "")
    .join("")
    .toLocaleUpperCase();
}
