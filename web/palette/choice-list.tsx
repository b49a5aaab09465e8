import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

export interface Choice {
  readonly id: string;
  readonly title: ReactNode;
  readonly detail?: string;
  readonly keys?: string;
  readonly run: () => void;
}

interface ChoiceListProps {
  readonly placeholder: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly choices: readonly Choice[];
  /** When there is no choice. */
  readonly none: string;
}

/** An input with choices below it, moved in with the arrow keys. */
export function ChoiceList(props: ChoiceListProps): ReactNode {
  const { placeholder, text, onText, choices, none } = props;
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const active = Math.min(at, Math.max(0, choices.length - 1));

  useEffect(() => setAt(0), [text]);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && choices.length > 0) {
      event.preventDefault();
      setAt((active + step + choices.length) % choices.length);
    }
    if (event.key === "Enter") {
      event.preventDefault();
      choices[active]?.run();
    }
  };

  return (
    <>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length === 0 ? undefined : `${id}-${active}`}
        aria-label={placeholder}
        placeholder={placeholder}
        value={text}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-muted"
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {choices.length === 0 ? <p className="px-4 py-4 text-sm text-muted">{none}</p> : null}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={placeholder}
        className="scroll-quiet max-h-[50vh] overflow-y-auto p-1.5"
      >
        {choices.map((choice, index) => (
          <div
            key={choice.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={`flex cursor-pointer items-baseline gap-3 rounded-md px-3 py-1.5 text-sm ${index === active ? "bg-accent-soft" : ""}`}
            onPointerMove={() => setAt(index)}
            onClick={choice.run}
          >
            <span className="min-w-0 flex-1 truncate">{choice.title}</span>
            {choice.detail === undefined ? null : (
              <span className="max-w-[45%] shrink-0 truncate text-xs text-muted">
                {choice.detail}
              </span>
            )}
            {choice.keys === undefined ? null : (
              <kbd className="shrink-0 rounded border border-line px-1 font-sans text-xs text-muted">
                {choice.keys}
              </kbd>
            )}
          </div>
        ))}
      </div>
    </>
  );
}
