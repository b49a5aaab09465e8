import { useEffect, useState, type ReactNode } from "react";

import { isJobKey } from "../../src/text/job-keys.ts";
import { keptAs } from "../api/base.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { saveProperties } from "./note-api.ts";
import { PropertyDrafts, type NewProperty, type PropertyRow } from "./property-drafts.ts";

const FIELD = "min-h-9 min-w-0 rounded-md border border-strong-line bg-raised px-2";

/** The properties of a note that are a person's, each to be changed by itself. */
export function PropertiesEditor({
  path,
  text,
}: {
  readonly path: string;
  /** The file as it was last seen; null until it came. */
  readonly text: string | null;
}): ReactNode {
  const { live } = useServices();
  const [drafts] = useState(() => draftsOf(path, text));
  const { rows, adding, problem, notRemoved } = useStore(drafts.state);
  // Of before a reload; afterwards the person opens and closes it.
  const [wasAdding] = useState(adding.key !== "");
  useEffect(() => {
    if (text !== null) drafts.read(text);
  }, [drafts, text]);
  useEffect(() => {
    const unsubscribe = live.subscribe(({ type }) => {
      if (type === "resync") void drafts.retry();
    });
    return () => {
      unsubscribe();
      void drafts.close();
    };
  }, [drafts, live]);
  return (
    <details className="mb-4 text-sm" open={rows.length > 0 || wasAdding}>
      <summary className="cursor-pointer py-1 font-medium text-muted">
        {texts.write.properties}
      </summary>
      <ul className="mt-2 space-y-2">
        {rows.map((row) => (
          <Row key={row.key} row={row} drafts={drafts} />
        ))}
      </ul>
      <Adding
        adding={adding}
        onChange={(next) => drafts.editNew(next)}
        onAdd={() => void drafts.add()}
      />
      {notRemoved === null ? null : (
        <p role="alert" className="mt-2 text-warn">
          {texts.write.notRemoved(notRemoved)}
        </p>
      )}
      {problem === null ? null : (
        <p role="alert" className="mt-2 text-danger">
          {problem.message}
        </p>
      )}
    </details>
  );
}

/** Read at once, so that the properties do not come in after the text. */
function draftsOf(path: string, text: string | null): PropertyDrafts {
  const drafts = new PropertyDrafts({
    path,
    name: keptAs(`coffre-properties ${path}`),
    storage: window.sessionStorage,
    save: saveProperties,
    isOwn: (key) => !isJobKey(key),
  });
  if (text !== null) drafts.read(text);
  return drafts;
}

interface RowProps {
  readonly row: PropertyRow;
  readonly drafts: PropertyDrafts;
}

/** One property; saved when one leaves it. */
function Row({ row, drafts }: RowProps): ReactNode {
  const { key, text, isList, theirs } = row;
  const hint = isList ? { title: texts.write.listHint, placeholder: texts.write.listHint } : {};
  return (
    <li>
      <div className="flex items-center gap-2">
        <label className="flex min-w-0 flex-1 items-center gap-2">
          <span className="w-28 shrink-0 truncate text-muted">{key}</span>
          <input
            value={text}
            {...hint}
            onChange={(event) => drafts.edit(key, event.target.value)}
            onBlur={() => void drafts.commit(key)}
            onKeyDown={(event) => {
              if (event.key === "Enter") void drafts.commit(key);
              if (event.key === "Escape") void drafts.decide(key, "theirs");
            }}
            className={`flex-1 ${FIELD}`}
          />
        </label>
        <button
          type="button"
          aria-label={texts.write.removeProperty(key)}
          className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:text-danger"
          onClick={() => void drafts.remove(key)}
        >
          <Icon name="close" />
        </button>
      </div>
      {theirs === undefined ? null : (
        <div
          role="group"
          aria-label={texts.write.otherProperty(key)}
          className="mt-1.5 flex flex-wrap items-center gap-2 rounded-md border border-line bg-warn-soft px-3 py-2"
        >
          <p className="min-w-0 flex-1 text-warn [overflow-wrap:anywhere]">
            {texts.write.otherProperty(key)}{" "}
            <span className="font-medium">{theirs ?? texts.write.propertyGone}</span>
          </p>
          <Button onClick={() => void drafts.decide(key, "mine")}>{texts.write.keepMine}</Button>
          <Button onClick={() => void drafts.decide(key, "theirs")}>
            {texts.write.keepTheirs}
          </Button>
        </div>
      )}
    </li>
  );
}

interface AddingProps {
  readonly adding: NewProperty;
  readonly onChange: (adding: NewProperty) => void;
  readonly onAdd: () => void;
}

function Adding({ adding, onChange, onAdd }: AddingProps): ReactNode {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAdd();
      }}
      className="mt-2 flex flex-wrap items-center gap-2"
    >
      <input
        value={adding.key}
        aria-label={texts.write.key}
        placeholder={texts.write.key}
        onChange={(event) => onChange({ ...adding, key: event.target.value })}
        className={`w-28 ${FIELD}`}
      />
      <input
        value={adding.value}
        aria-label={texts.write.value}
        placeholder={texts.write.value}
        onChange={(event) => onChange({ ...adding, value: event.target.value })}
        className={`flex-1 ${FIELD}`}
      />
      <Button type="submit">{texts.write.addProperty}</Button>
    </form>
  );
}
