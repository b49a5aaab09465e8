/** A page nested so deep that its parser takes minutes. */
export function slowPage(): string {
  return `<html><body>${"<div><p>x".repeat(60_000)}</body></html>`;
}
