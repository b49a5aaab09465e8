/** A page nested so deep that its parser takes minutes. */
export function slowPage(): string {
  return `<html><body>${"<div><p>x".repeat(240_000)}</body></html>`;
}
