import type { ReactNode } from "react";

import { Button } from "../../ui/button.tsx";
import { CopyField } from "./copy-field.tsx";
import { teamTexts as texts } from "../team-texts.ts";

interface SecretOnceProps {
  readonly title: string;
  readonly secret: string;
  /** What one needs beside it. */
  readonly children?: ReactNode;
  readonly onDone: () => void;
}

/** Something that the service says only this once: to be copied now. */
export function SecretOnce({ title, secret, children, onDone }: SecretOnceProps): ReactNode {
  return (
    <div role="status" className="mb-4 rounded-lg bg-accent-soft px-4 py-3">
      <p className="text-sm font-medium">{title}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <CopyField label={title} text={secret} isMain />
        <Button onClick={onDone}>{texts.secret.done}</Button>
      </div>
      {children}
    </div>
  );
}
