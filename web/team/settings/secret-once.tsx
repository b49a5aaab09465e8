import { useRef, useState, type ReactNode } from "react";

import { Button } from "../../ui/button.tsx";
import { TextField } from "./fields.tsx";
import { teamTexts as texts } from "../team-texts.ts";

interface SecretOnceProps {
  readonly title: string;
  readonly secret: string;
  readonly onDone: () => void;
}

/** Something that the service says only this once: to be copied now. */
export function SecretOnce({ title, secret, onDone }: SecretOnceProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState<"not yet" | "copied" | "by hand">("not yet");
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(secret);
      setCopied("copied");
    } catch {
      // Browsers have no clipboard without HTTPS: it is selected, for the keyboard.
      setCopied("by hand");
    }
  };
  return (
    <div role="status" className="mb-4 rounded-lg bg-accent-soft px-4 py-3">
      <p className="text-sm font-medium">{title}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <TextField
          ref={field}
          readOnly
          aria-label={title}
          value={secret}
          className="flex-1 basis-56 font-mono"
          onFocus={(event) => event.target.select()}
        />
        <Button look="solid" onClick={() => void copy()}>
          {copied === "copied"
            ? texts.secret.copied
            : copied === "by hand"
              ? texts.secret.byHand
              : texts.secret.copy}
        </Button>
        <Button onClick={onDone}>{texts.secret.done}</Button>
      </div>
    </div>
  );
}
