import type { ReactNode } from "react";

import { texts } from "../texts/texts.ts";
import { Icon } from "../ui/icons.tsx";
import type { ComposerMode } from "./composer-model.ts";

interface ModeSwitchProps {
  readonly mode: ComposerMode;
  /** On a narrow screen only the icons, because there is more in the row. */
  readonly isShort: boolean;
  readonly onChange: (mode: ComposerMode) => void;
}

const MODES = [
  { mode: "update", icon: "pencil", text: texts.composer.update },
  { mode: "search", icon: "search", text: texts.composer.search },
] as const;

/** Whether the input keeps something or finds something. */
export function ModeSwitch({ mode, isShort, onChange }: ModeSwitchProps): ReactNode {
  return (
    <fieldset className="flex rounded-lg bg-code p-0.5">
      <legend className="sr-only">{texts.composer.mode}</legend>
      {MODES.map((each) => (
        <label
          key={each.mode}
          className="inline-flex h-8 cursor-pointer items-center gap-1.5 rounded-md px-2.5 text-sm text-muted has-checked:bg-chosen has-checked:font-medium has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="mode"
            value={each.mode}
            checked={each.mode === mode}
            className="sr-only"
            onChange={() => onChange(each.mode)}
          />
          <Icon name={each.icon} className="size-3.5" />
          <span className={isShort ? "max-md:sr-only" : ""}>{each.text}</span>
        </label>
      ))}
    </fieldset>
  );
}
