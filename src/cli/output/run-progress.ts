import type { OnRunEvent } from "../../agents/contract.ts";
import { stepWords } from "../../agents/step-words.ts";
import type { Screen } from "./screen.ts";

const LONGEST = 70;

/** Shows on one line of the terminal what an agent does; nothing in a pipe. */
export function runProgress(screen: Screen): OnRunEvent {
  const show = (text: string): void => {
    const line = text.replaceAll(/\s+/gu, " ").trim();
    screen.progress(line.length <= LONGEST ? line : `${line.slice(0, LONGEST).toWellFormed()}…`);
  };
  /** What streams now, in pieces: of a thought and of an answer, the last words of one or the other. */
  let streaming: { readonly type: "thinking" | "text"; readonly said: string } | null = null;
  return (event) => {
    if (event.type !== "thinking" && event.type !== "text") streaming = null;
    switch (event.type) {
      case "thinking":
      case "text": {
        const before = streaming?.type === event.type ? streaming.said : "";
        streaming = { type: event.type, said: (before + event.text).slice(-10 * LONGEST) };
        const words = lastWords(streaming.said);
        if (words !== "") show(event.type === "thinking" ? `Thinking: ${words}` : words);
        return;
      }
      case "retry":
        show(
          `The model did not answer (${event.reason}); again in ${Math.ceil(event.wait / 1000)} s`,
        );
        return;
      case "call":
        show(stepWords(event));
        return;
      case "result":
        if (event.isError) show(event.text.replace(/^Error \(\w+\): /u, ""));
        return;
      case "done":
      case "error":
        screen.progress(null);
    }
  };
}

/** The end of a text, from the start of a word. */
function lastWords(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  const room = LONGEST - "Thinking: … ".length;
  if (line.length <= room) return line;
  const end = line.slice(-room).toWellFormed();
  return `… ${end.slice(end.indexOf(" ") + 1)}`;
}
