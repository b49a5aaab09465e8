import { useState, type FormEvent, type ReactNode } from "react";

import type { SavedAnswer } from "../../src/server/api/contract.ts";
import { isJobKey } from "../../src/text/job-keys.ts";
import { problemOf, type RequestProblem } from "../api/problem.ts";
import { postJson } from "../api/request.ts";
import type { Property } from "../markdown/frontmatter.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { listOf, newValue, textOf, valueOf } from "./property-value.ts";

const FIELD = "min-h-9 min-w-0 rounded-md border border-strong-line bg-raised px-2";

/** The properties of a note that are a person's, each to be changed by itself. */
export function PropertiesEditor({
  path,
  properties,
}: {
  readonly path: string;
  readonly properties: readonly Property[];
}): ReactNode {
  const [problem, setProblem] = useState<RequestProblem | null>(null);
  const change = async (
    set: Readonly<Record<string, unknown>>,
    remove: readonly string[],
  ): Promise<void> => {
    try {
      await postJson<SavedAnswer>("/api/note/properties", { path, set, remove });
      setProblem(null);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  const own = properties.filter(({ key }) => !isJobKey(key));
  return (
    <details className="mb-4 text-sm" open={own.length > 0}>
      <summary className="cursor-pointer py-1 font-medium text-muted">
        {texts.write.properties}
      </summary>
      <ul className="mt-2 space-y-2">
        {own
          .map((property) => ({ ...property, text: textOf(property) }))
          .map(({ key, text, isList }) => (
            <li key={`${key} ${text}`} className="flex items-center gap-2">
              <Field
                name={key}
                value={text}
                isList={isList}
                onChange={(next) =>
                  void change({ [key]: isList ? listOf(next) : valueOf(next) }, [])
                }
              />
              <button
                type="button"
                aria-label={texts.write.removeProperty(key)}
                className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:text-danger"
                onClick={() => void change({}, [key])}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
      </ul>
      <NewProperty onAdd={(key, value) => void change({ [key]: newValue(key, value) }, [])} />
      {problem === null ? null : (
        <p role="alert" className="mt-2 text-danger">
          {problem.message}
        </p>
      )}
    </details>
  );
}

interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly isList: boolean;
  readonly onChange: (value: string) => void;
}

/** One property; changed when one leaves it. */
function Field({ name, value, isList, onChange }: FieldProps): ReactNode {
  const [text, setText] = useState(value);
  const commit = (): void => {
    if (text !== value) onChange(text);
  };
  return (
    <label className="flex min-w-0 flex-1 items-center gap-2">
      <span className="w-28 shrink-0 truncate text-muted">{name}</span>
      <input
        value={text}
        {...(isList ? { title: texts.write.listHint, placeholder: texts.write.listHint } : {})}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
        className={`flex-1 ${FIELD}`}
      />
    </label>
  );
}

function NewProperty({
  onAdd,
}: {
  readonly onAdd: (key: string, value: string) => void;
}): ReactNode {
  const [key, setKey] = useState("");
  const [value, setValue] = useState("");
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (key.trim() === "") return;
    onAdd(key.trim(), value);
    setKey("");
    setValue("");
  };
  return (
    <form onSubmit={add} className="mt-2 flex flex-wrap items-center gap-2">
      <input
        value={key}
        aria-label={texts.write.key}
        placeholder={texts.write.key}
        onChange={(event) => setKey(event.target.value)}
        className={`w-28 ${FIELD}`}
      />
      <input
        value={value}
        aria-label={texts.write.value}
        placeholder={texts.write.value}
        onChange={(event) => setValue(event.target.value)}
        className={`flex-1 ${FIELD}`}
      />
      <Button type="submit">{texts.write.addProperty}</Button>
    </form>
  );
}
