import path from "node:path";

import type { VaultPath } from "../../vault/paths.ts";
import type { Filed } from "./filing.ts";
import type { Failure } from "./gather.ts";

/**
 * What was in a mail, as links to what became of it, and why the rest is missing. Empty when nothing was.
 * @param folder where the mail's note is
 */
export function attachmentList(
  inside: readonly Filed[],
  failures: readonly Failure[],
  folder: VaultPath,
): string {
  const links = inside.map(({ name, paths, duplicateOf }) => {
    const place = duplicateOf ?? paths[0];
    const label = name.replaceAll(/[[\]\\]/gu, String.raw`\$&`);
    return place === undefined
      ? `- ${label}`
      : `- [${label}](${encodeURI(path.posix.relative(folder, place))})`;
  });
  const missing = failures.map(({ message }) => `- ${message.replaceAll(/\s+/gu, " ")}`);
  const lines = [...links, ...missing];
  return lines.length === 0 ? "" : `\n\n## Attachments\n\n${lines.join("\n")}`;
}
