/** What is said of the private places that went along with a vault; nothing when there are none. */
export function privateLine(count: number): string[] {
  return count === 0 ? [] : [`Private as before: ${count}.`];
}
