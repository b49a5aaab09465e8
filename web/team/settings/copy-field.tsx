import { useRef, useState, type ReactNode } from "react";

import { Button } from "../../ui/button.tsx";
import { TextField } from "./fields.tsx";
import { teamTexts as texts } from "../team-texts.ts";

interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
  /** What one came for. */
  readonly isMain?: boolean;
}

/** A text to be taken elsewhere, with a button that copies it. */
export function CopyField({ label, text, isMain = false }: CopyFieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState<"not yet" | "copied" | "by hand">("not yet");
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(text);
      setCopied("copied");
    } catch {
      // Browsers have no clipboard without HTTPS: it is selected, for the keyboard.
      setCopied("by hand");
    }
  };
  const said =
    copied === "copied"
      ? texts.secret.copied
      : copied === "by hand"
        ? texts.secret.byHand
        : texts.secret.copy;
  return (
    <>
      <TextField
        ref={field}
        readOnly
        aria-label={label}
        value={text}
        className="flex-1 basis-56 font-mono"
        onFocus={(event) => event.target.select()}
      />
      <Button
        look={isMain ? "solid" : "outline"}
        {...(isMain ? {} : { "aria-label": `${said}: ${label}` })}
        onClick={() => void copy()}
      >
        {said}
      </Button>
    </>
  );
}
