import { useEffect, useState, type ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { texts } from "../texts/texts.ts";
import { Icon } from "../ui/icons.tsx";
import type { Attachment } from "./attachments.ts";

/** The files that go with what is written. */
export function AttachmentList({
  attachments,
}: {
  readonly attachments: readonly Attachment[];
}): ReactNode {
  const { composer } = useServices();
  if (attachments.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 px-4 pt-3">
      {attachments.map((attachment) => (
        <li
          key={attachment.id}
          className="flex h-9 max-w-60 items-center gap-2 rounded-lg border border-line bg-panel pl-2 text-sm"
        >
          {attachment.kind === "image" ? (
            <Thumbnail file={attachment.file} />
          ) : (
            <Icon name="file" />
          )}
          <span className="truncate">{attachment.name}</span>
          <button
            type="button"
            aria-label={texts.composer.detach(attachment.name)}
            className="grid size-8 shrink-0 place-items-center text-muted hover:text-ink"
            onClick={() => composer.detach(attachment.id)}
          >
            <Icon name="close" className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Thumbnail({ file }: { readonly file: File }): ReactNode {
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    setSource(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return source === null ? null : (
    <img src={source} alt="" className="size-6 rounded object-cover" />
  );
}
