import { plainCell } from "../../convert/markdown-table.ts";

/** What one person said. */
export interface ChatMessage {
  /** As a heading. */
  readonly day: string;
  readonly time: string;
  /** Empty for what the program itself says. */
  readonly author: string;
  readonly text: string;
}

/** A chat with a heading for each day. */
export function chatMarkdown(messages: readonly ChatMessage[]): string {
  const lines: string[] = [];
  let day = "";
  for (const message of messages) {
    if (message.day !== day) {
      day = message.day;
      lines.push(`${lines.length === 0 ? "" : "\n"}## ${plainCell(day)}\n`);
    }
    const text = message.text.split("\n").map(plainCell).join("  \n  ");
    const who = message.author === "" ? "" : ` **${plainCell(message.author)}**:`;
    lines.push(`- ${message.time}${who} ${text}`.trimEnd());
  }
  return lines.join("\n");
}

/** The day and the time of a moment, in UTC: exports do not say where their people were. */
export function dayAndTime(milliseconds: number): { day: string; time: string } {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return { day: "", time: "" };
  const [day = "", clock = ""] = date.toISOString().split("T");
  return { day, time: clock.slice(0, 5) };
}
