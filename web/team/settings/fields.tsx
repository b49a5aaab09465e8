import { useId, useState, type ComponentProps, type ReactNode } from "react";

import { Button } from "../../ui/button.tsx";
import { teamTexts as texts } from "../team-texts.ts";

const FIELD = "min-h-9 min-w-0 rounded-md border border-strong-line bg-raised px-2 text-sm";

interface LabelledProps {
  readonly label: string;
  /** @param id of the field */
  readonly children: (id: string) => ReactNode;
  readonly className?: string;
}

/** A field under its name. */
export function Labelled({ label, children, className = "" }: LabelledProps): ReactNode {
  const id = useId();
  return (
    <div className={`flex min-w-0 flex-col gap-1 text-xs text-muted ${className}`}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}

export function TextField({ className = "", ...rest }: ComponentProps<"input">): ReactNode {
  return <input {...rest} className={`${FIELD} text-ink ${className}`} />;
}

interface ChoiceProps<Value extends string> {
  readonly id?: string;
  /** For screen readers, where no label stands beside it. */
  readonly label?: string;
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, text: string])[];
  readonly isDisabled?: boolean;
  readonly onChange: (value: Value) => void;
}

/** One of a few values. */
export function Choice<Value extends string>(props: ChoiceProps<Value>): ReactNode {
  const { id, label, value, choices, isDisabled = false, onChange } = props;
  return (
    <select
      id={id}
      aria-label={label}
      value={value}
      disabled={isDisabled}
      className={`${FIELD} text-ink disabled:opacity-60`}
      onChange={(event) => {
        const chosen = choices.find(([each]) => each === event.target.value);
        if (chosen !== undefined) onChange(chosen[0]);
      }}
    >
      {choices.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Days, as a choice of a few. */
export function DaysChoice({
  id,
  value,
  days,
  onChange,
}: {
  readonly id: string;
  readonly value: number;
  readonly days: readonly number[];
  readonly onChange: (days: number) => void;
}): ReactNode {
  return (
    <Choice
      id={id}
      value={String(value)}
      choices={days.map((each) => [String(each), texts.tokens.dayCount(each)])}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}

interface ConfirmButtonProps {
  readonly text: string;
  /** What the second click is for. */
  readonly confirm: string;
  /** What it is about, for screen readers. */
  readonly about: string;
  readonly onConfirm: () => void;
}

/** For what cannot be taken back: asks for a second click. */
export function ConfirmButton({ text, confirm, about, onConfirm }: ConfirmButtonProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button look="plain" aria-label={`${text}: ${about}`} onClick={() => setAsking(true)}>
        {text}
      </Button>
    );
  return (
    <span className="flex flex-wrap gap-1">
      <Button
        look="danger"
        aria-label={`${confirm}: ${about}`}
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        {confirm}
      </Button>
      <Button look="plain" onClick={() => setAsking(false)}>
        {texts.people.cancel}
      </Button>
    </span>
  );
}
