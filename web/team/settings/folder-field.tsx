import { useEffect, useId, useMemo, type ReactNode } from "react";

import { useServices } from "../../api/services.ts";
import { useStore } from "../../api/store.ts";
import { foldersAbove, ROOT } from "../../tree/paths.ts";
import { TextField } from "./fields.tsx";

interface FolderFieldProps {
  readonly id: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly onChange: (folder: string) => void;
}

/** The path of a folder; those that are there are proposed. */
export function FolderField(props: FolderFieldProps): ReactNode {
  const { id, value, placeholder, isRequired = false, onChange } = props;
  const { files } = useServices();
  const listed = useStore(files.files);
  const list = useId();
  useEffect(() => files.want(), [files]);
  const folders = useMemo(() => {
    const found = new Set((listed ?? []).flatMap(({ path }) => foldersAbove(path)));
    found.delete(ROOT);
    return [...found].toSorted();
  }, [listed]);
  return (
    <>
      <TextField
        id={id}
        value={value}
        placeholder={placeholder ?? `${ROOT}…/`}
        required={isRequired}
        list={list}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </>
  );
}
