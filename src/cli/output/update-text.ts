import type { UpdateView } from "../../server/api/agent-contract.ts";

/** An update that was accepted and has not ended yet. */
export interface Accepted {
  readonly id: string;
  readonly status: "accepted";
}

/** What came of an update, for people. */
export function updateText(update: UpdateView | Accepted): string {
  if (update.status === "accepted") {
    return `Accepted as ${update.id}. It is filed in its turn; coffre remember --wait waits for it.`;
  }
  const { report, error, id, status } = update;
  if (report === null) return error ?? `${id} is ${status}.`;
  const { text, touched, inbox, batch } = report;
  const lines = [text === "" ? "Done." : text];
  for (const { path, change } of touched) lines.push(`  ${path} (${change})`);
  if (inbox !== null) lines.push(`It waits for an answer: coffre inbox show ${inbox}`);
  if (batch !== null) lines.push(`To take all of it back: coffre undo ${batch}`);
  return lines.join("\n");
}
