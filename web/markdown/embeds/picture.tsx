import { useState, type ReactNode } from "react";

import { rawAddress } from "../../api/request.ts";
import { texts } from "../../texts/texts.ts";
import { isImage } from "../../tree/paths.ts";
import { Icon } from "../../ui/icons.tsx";
import { SandboxedFrame } from "./sandboxed-frame.tsx";
import { TargetLink } from "../target-link.tsx";
import type { Target } from "../targets.ts";

/** Pixels, as a note asks for them: `|200`, `|200x100`. */
export interface PictureSize {
  readonly width?: number;
  readonly height?: number;
}

interface PictureProps {
  readonly to: Target;
  readonly alt: string;
  /** As it is written. */
  readonly address: string;
  readonly size?: PictureSize;
}

/** Images of the vault that are pixels are shown. One of another server is asked for when somebody clicks; drawings that may hold a script are links. */
export function Picture({ to, alt, address, size }: PictureProps): ReactNode {
  const own = size ?? sizeIn(alt);
  const label =
    size === undefined && Object.keys(own).length > 0 ? alt.replace(/\|[^|]*$/u, "") : alt;
  if (to.kind === "vault" && isImage(to.path)) {
    return <img src={rawAddress(to.path)} alt={label} loading="lazy" {...own} />;
  }
  if (to.kind === "external" && /^https?:/u.test(to.href)) {
    return <RemotePicture href={to.href} alt={label} />;
  }
  return <TargetLink to={to}>{label === "" ? address : label}</TargetLink>;
}

/** The size at the end of a text, `plan|200x100`, or that is all of it; nothing when there is none. */
export function sizeIn(text: string): PictureSize {
  const [, width, height] = /(?:^|\|)(\d{1,4})(?:x(\d{1,4}))?$/u.exec(text.trim()) ?? [];
  if (width === undefined) return {};
  return { width: Number(width), ...(height === undefined ? {} : { height: Number(height) }) };
}

/** Another server learns that this note is read only from somebody who wants to see its image. */
function RemotePicture({ href, alt }: { readonly href: string; readonly alt: string }): ReactNode {
  const [isShown, setShown] = useState(false);
  const { host } = new URL(href);
  if (!isShown) {
    return (
      <button type="button" className="remote-picture" title={href} onClick={() => setShown(true)}>
        <Icon name="image" className="size-4 inline" /> {alt === "" ? "" : `${alt} · `}
        {texts.note.showPicture(host)}
      </button>
    );
  }
  return (
    <SandboxedFrame
      name="picture"
      title={alt === "" ? href : alt}
      message={{ href, alt }}
      failed={<TargetLink to={{ kind: "external", href }}>{texts.note.noPicture(host)}</TargetLink>}
    />
  );
}
