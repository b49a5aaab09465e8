import { useEffect } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import type { FileForm } from "../palette/palette-model.ts";

/** Whether a form of a file or folder is open; closed when one leaves the view. */
export function useFileForm({
  kind,
  path,
}: FileForm): readonly [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const { form } = useServices().palette;
  const open = useStore(form);
  const isThis = (each: FileForm | null): boolean => each?.kind === kind && each.path === path;
  useEffect(
    () => () => {
      const left = form.get();
      if (left?.kind === kind && left.path === path) form.set(null);
    },
    [form, kind, path],
  );
  return [isThis(open), (isOpen) => form.set(isOpen ? { kind, path } : null)];
}
