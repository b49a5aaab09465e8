import type { ReactNode } from "react";

import { BASE } from "../api/base.ts";
import { address } from "../api/request.ts";
import { texts } from "../texts/texts.ts";
import { nameOf } from "../tree/paths.ts";

export type MediaKind = "pdf" | "audio" | "video";

const KINDS: readonly (readonly [RegExp, MediaKind])[] = [
  [/\.pdf$/iu, "pdf"],
  [/\.(?:mp3|m4a|wav|ogg|oga|opus|flac|aac)$/iu, "audio"],
  [/\.(?:mp4|webm|m4v|mov)$/iu, "video"],
];

/** What plays or shows a file, by its name; null for none. */
export function mediaKind(path: string): MediaKind | null {
  return KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** A PDF or a recording in the browser's own viewer. */
export function MediaView({ path }: { readonly path: string }): ReactNode {
  const where = BASE + address("/api/media", { path });
  const name = nameOf(path);
  const kind = mediaKind(path);
  return (
    <figure className="media">
      {kind === "pdf" ? (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF in a sandbox; the service sends nothing else from there
        <iframe
          src={where}
          title={name}
          className="h-[75vh] w-full rounded-lg border border-line"
        />
      ) : kind === "audio" ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- somebody's own recording has none
        <audio controls preload="metadata" src={where} aria-label={name} className="w-full" />
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- as above
        <video controls preload="metadata" src={where} aria-label={name} className="w-full" />
      )}
      <figcaption className="mt-1 text-sm text-muted">
        {name} ·{" "}
        <a href={where} download={name} className="text-accent underline">
          {texts.file.original}
        </a>
      </figcaption>
    </figure>
  );
}
