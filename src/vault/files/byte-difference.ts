/** How many bytes two texts share at their start. */
export function commonPrefix(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}

/** How many they share at their end, beyond those they share at the start. */
export function commonSuffix(a: Buffer, b: Buffer, prefix: number): number {
  const most = Math.min(a.length, b.length) - prefix;
  let at = 0;
  while (at < most && a[a.length - 1 - at] === b[b.length - 1 - at]) at += 1;
  return at;
}
