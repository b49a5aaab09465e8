import { useEffect, useId, useState, type ReactNode } from "react";

import type { ValuesAnswer } from "../../src/server/api/contract.ts";
import { address, getJson } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { searchAddress } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { ROOT } from "../tree/paths.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { splitQuery, withFilter, withoutFilter } from "./query-filters.ts";

type FilterKind = "tag" | "path" | "date" | "property";
const KINDS: readonly FilterKind[] = ["tag", "path", "date", "property"];

/** The filters of a search: those it has, to be taken away, and those that can be added. They stand in the query itself, so they can be typed too. */
export function FilterBar({ query }: { readonly query: string }): ReactNode {
  const { composer, router } = useServices();
  const [adding, setAdding] = useState<FilterKind | null>(null);
  const { filters } = splitQuery(query);
  const search = (text: string): void => {
    composer.change({ query: text, mode: "search" });
    router.replace(searchAddress(text));
  };
  const add = (key: string, value: string): void => {
    if (key !== "" && value !== "") search(withFilter(query, key, value));
    setAdding(null);
  };
  return (
    <div
      className="mb-4 flex flex-wrap items-center gap-2 text-sm"
      role="group"
      aria-label={texts.search.filters}
    >
      {filters.map((filter) => (
        <button
          key={filter.at}
          type="button"
          aria-label={texts.search.removeFilter(filter.text)}
          className="inline-flex min-h-7 items-center gap-1.5 rounded-full bg-accent-soft px-2.5 text-ink hover:opacity-80"
          onClick={() => search(withoutFilter(query, filter))}
        >
          {filter.text}
          <Icon name="close" className="size-3" />
        </button>
      ))}
      {KINDS.map((kind) => (
        <button
          key={kind}
          type="button"
          aria-expanded={adding === kind}
          className="min-h-7 rounded-full border border-line px-2.5 text-muted hover:border-strong-line hover:text-ink"
          onClick={() => setAdding(adding === kind ? null : kind)}
        >
          + {texts.search.filter[kind]}
        </button>
      ))}
      {adding === null ? null : <FilterForm key={adding} kind={adding} onAdd={add} />}
    </div>
  );
}

interface FilterFormProps {
  readonly kind: FilterKind;
  readonly onAdd: (key: string, value: string) => void;
}

const FIELD = "h-8 rounded-md border border-line bg-raised px-2 text-sm";

function FilterForm({ kind, onAdd }: FilterFormProps): ReactNode {
  const [key, setKey] = useState(kind === "date" ? "since" : kind === "property" ? "" : kind);
  const [value, setValue] = useState("");
  return (
    <form
      className="flex w-full flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(key.trim(), value.trim());
      }}
    >
      {kind === "property" ? (
        <Completed label={texts.search.propertyKey} text={key} onText={setKey} of={null} />
      ) : kind === "date" ? (
        <select
          aria-label={texts.search.filter.date}
          className={FIELD}
          value={key}
          onChange={(event) => setKey(event.target.value)}
        >
          <option value="since">{texts.search.since}</option>
          <option value="until">{texts.search.until}</option>
        </select>
      ) : null}
      {kind === "date" ? (
        <input
          type="date"
          aria-label={texts.search.day}
          className={FIELD}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      ) : kind === "path" ? (
        <FolderField text={value} onText={setValue} />
      ) : (
        <Completed
          label={kind === "tag" ? texts.search.filter.tag : texts.search.propertyValue}
          text={value}
          onText={setValue}
          of={kind === "tag" ? "tag" : key.trim()}
        />
      )}
      <Button type="submit">{texts.search.addFilter}</Button>
    </form>
  );
}

interface FieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** @param of whose values complete it; null for the keys themselves */
function Completed(
  props: FieldProps & { readonly label: string; readonly of: string | null },
): ReactNode {
  const { label, text, onText, of } = props;
  const [values, setValues] = useState<readonly string[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      if (of === "") return;
      const where = address("/api/properties", { key: of ?? undefined, q: text, limit: 30 });
      const answer = await getJson<ValuesAnswer>(where, abort.signal);
      setValues(answer.values.map(({ value }) => value));
    };
    // Without them it can still be typed.
    load().catch(() => {});
    return () => abort.abort();
  }, [of, text]);
  return <ListField label={label} text={text} onText={onText} values={values} />;
}

function FolderField({ text, onText }: FieldProps): ReactNode {
  const { tree } = useServices();
  const { folders } = useStore(tree.state);
  const known = [...folders.values()]
    .flat()
    .filter(({ kind }) => kind === "folder")
    .map(({ path }) => path.slice(ROOT.length));
  return <ListField label={texts.search.filter.path} text={text} onText={onText} values={known} />;
}

function ListField(
  props: FieldProps & { readonly label: string; readonly values: readonly string[] },
): ReactNode {
  const { label, text, onText, values } = props;
  const id = useId();
  return (
    <>
      <input
        type="text"
        list={id}
        aria-label={label}
        placeholder={label}
        className={FIELD}
        value={text}
        // The field was just asked for.
        ref={(element) => {
          if (text === "") element?.focus();
        }}
        onChange={(event) => onText(event.target.value)}
      />
      <datalist id={id}>
        {values.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  );
}
