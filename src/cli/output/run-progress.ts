import type { OnRunEvent } from "../../agents/contract.ts";
import type { Screen } from "./screen.ts";

const LONGEST = 70;

/** Shows on one line of the terminal what an agent does; nothing in a pipe. */
export function runProgress(screen: Screen): OnRunEvent {
  const show = (text: string): void => {
    const line = text.replaceAll(/\s+/gu, " ").trim();
    screen.progress(line.length <= LONGEST ? line : `${line.slice(0, LONGEST).toWellFormed()}…`);
  };
  let said = "";
  return (event) => {
    switch (event.type) {
      case "thinking":
      case "text":
        said = (said + event.text).slice(-LONGEST);
        show(`… ${said}`);
        return;
      case "retry":
        said = "";
        show(
          `The model did not answer (${event.reason}); again in ${Math.ceil(event.wait / 1000)} s`,
        );
        return;
      case "call":
        said = "";
        show(`${event.tool} ${event.args}`);
        return;
      case "result":
        if (event.isError) show(`${event.tool}: ${event.text}`);
        return;
      case "done":
      case "error":
        screen.progress(null);
    }
  };
}
