import { useEffect, useState, type ReactNode } from "react";

import { errorText, saidText } from "./texts.ts";

/**
 * A text of the service, in the language of the browser.
 * @param code left out when it is no error
 */
export function Said({ code, text }: { code?: string; text: string }): ReactNode {
  const [said, setSaid] = useState("");
  useEffect(() => {
    let isWanted = true;
    void (async () => {
      const found = code === undefined ? await saidText(text) : await errorText(code, text);
      if (isWanted) setSaid(found);
    })();
    return () => {
      isWanted = false;
    };
  }, [code, text]);
  return said;
}
