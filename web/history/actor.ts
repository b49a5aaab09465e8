/** Who made a change, as it is shown: in a team somebody at this page is named without it, others with their program. */
export function shownActor(actor: string): string {
  return actor.replace(/ \(page\)$/u, "");
}

/** The name of somebody of a team, without their program: `Ada (claude)` is `Ada`. */
export function nameOfActor(actor: string): string {
  return actor.replace(/ \([^()]*\)$/u, "");
}
