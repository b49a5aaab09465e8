import type { Connection } from "./connection.ts";
import type { Outcome } from "./put-in-place.ts";

/** What to do with the configuration that is printed after it. */
export function beforeSnippet({ client, file, command }: Connection, vault: string): string {
  const opening = `To give ${client.title} the vault ${vault}`;
  const into = `put this into ${file}, which --write does for you:\n\n`;
  return command === null ? `${opening}, ${into}` : `${opening}, run:\n\n${command}\n\nOr ${into}`;
}

export function afterSnippet({ client, scope, placement }: Connection): string {
  return [
    "",
    "The paths are absolute because clients may start programs without your PATH.",
    ...sharingNote(scope),
    client.next(placement.name),
  ].join("\n");
}

export function outcomeText(
  { client, scope, file, placement: { name } }: Connection,
  { outcome, backup, vaultBefore }: Outcome,
  vault: string,
): string {
  if (outcome === "unchanged") {
    return `Nothing to do: ${file} has ${name} already, for the vault ${vault}.`;
  }
  const done = {
    created: `Made ${file} with ${name}, for the vault ${vault}.`,
    added: `Added ${name} to ${file}, for the vault ${vault}.`,
    replaced: `Replaced ${name} in ${file}; it is for the vault ${vault} now.`,
  }[outcome];
  return [
    done,
    ...(vaultBefore === undefined ? [] : [`Before, it was for the vault ${vaultBefore}.`]),
    ...(backup === null ? [] : [`The file as it was: ${backup}`]),
    ...sharingNote(scope),
    client.next(name),
  ].join("\n");
}

/** Such a file is often shared with others. */
function sharingNote(scope: Connection["scope"]): string[] {
  return scope === "project" ? ["It names folders of this machine: better not commit it."] : [];
}
