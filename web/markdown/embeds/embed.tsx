import { useId, useMemo, type ReactNode } from "react";

import type { ShownFile } from "../../../src/server/api/contract.ts";
import type { LiveEvent } from "../../api/live-events.ts";
import { address, getJson } from "../../api/request.ts";
import { useResource } from "../../api/use-resource.ts";
import { fileAddress } from "../../app/addresses.ts";
import { Link } from "../../app/link.tsx";
import { Canvas } from "../../file/canvas.tsx";
import { MediaView, mediaKind } from "../../file/media-view.tsx";
import { meaningsOf } from "../../links/link-meanings.ts";
import { useNoteLinks } from "../../links/use-note-links.ts";
import { texts } from "../../texts/texts.ts";
import { isImage, isMarkdown, nameOf } from "../../tree/paths.ts";
import { renderBlocks } from "../blocks.tsx";
import { Footnotes } from "../footnotes.tsx";
import { splitFrontmatter } from "../frontmatter.ts";
import type { EmbedProps, NoteContext } from "../note-context.ts";
import { parseMarkdown } from "../parse.ts";
import { missingReferences } from "../references.ts";
import { Picture, sizeIn } from "./picture.tsx";
import { sectionOf } from "../sections.ts";
import { TargetLink } from "../target-link.tsx";
import { meant, wikiTarget } from "../targets.ts";

/** Notes within notes within notes. */
const DEEPEST = 3;
/** Characters of a note that are shown in another. */
const LONGEST = 20_000;

/** A file that is shown in its place in a note: an image, a note or a part of it, a canvas, a PDF, a recording. */
export function Embed({ inside, label, note, isBlock }: EmbedProps): ReactNode {
  const target = meant("wiki", inside, wikiTarget(inside, note.file, note.known), note);
  const link = <TargetLink to={target}>{label}</TargetLink>;
  if (target.kind !== "vault") return link;
  const { path, mark } = target;
  if (isImage(path)) {
    const size = sizeIn(label);
    const alt = Object.keys(size).length > 0 ? nameOf(path) : label;
    return <Picture to={target} alt={alt} address={inside} size={size} />;
  }
  if (!isBlock) return link;
  if (mediaKind(path) !== null) return <MediaView path={path} />;
  const within = [...(note.within ?? []), note.file];
  const isCircle = within.includes(path) && mark === null;
  // While it is not known which files there are, a name may mean another one.
  if (note.known === null || isCircle || within.length > DEEPEST) return <p>{link}</p>;
  if (path.endsWith(".canvas")) return <EmbeddedCanvas path={path} />;
  if (!isMarkdown(path)) return <p>{link}</p>;
  return <EmbeddedNote path={path} mark={mark} label={label} note={{ ...note, within }} />;
}

const isAbout = (event: LiveEvent, path: string): boolean =>
  event.type === "file" && (event.changed.includes(path) || event.gone.includes(path));

function useText(path: string): ReturnType<typeof useResource<ShownFile>> {
  return useResource<ShownFile>(
    path,
    async (signal) => getJson(address("/api/file", { path }), signal),
    (event) => isAbout(event, path),
  );
}

interface EmbeddedNoteProps {
  readonly path: string;
  readonly mark: string | null;
  readonly label: string;
  readonly note: NoteContext;
}

function EmbeddedNote({ path, mark, label, note }: EmbeddedNoteProps): ReactNode {
  const { value, problem } = useText(path);
  const links = useNoteLinks(path);
  const id = useId();
  const text = value?.text ?? null;
  const shown = useMemo(() => {
    if (text === null) return null;
    const { body, linesBefore } = splitFrontmatter(text);
    const section = sectionOf(body, mark);
    if (section === null) return null;
    const part = section.text.slice(0, LONGEST);
    // A part calls footnotes that stand elsewhere in its note.
    const source = [part, missingReferences(part, body)].filter((each) => each !== "").join("\n\n");
    const parsed = parseMarkdown(source);
    const context = {
      ...note,
      ...parsed,
      // Not those of the note around it.
      meanings: links === null ? null : meaningsOf(links),
      onTick: undefined,
      footnotesOf: `${id}-`,
      file: path,
      marked: null,
      linesBefore: linesBefore + section.line,
    };
    return (
      <>
        {renderBlocks(parsed.root.children, source, context)}
        <Footnotes text={source} note={context} />
      </>
    );
  }, [text, mark, path, note, links, id]);
  return (
    <figure className="embed">
      <figcaption>
        <Link to={fileAddress(path, mark)}>{label}</Link>
      </figcaption>
      {problem === null && (text === null || shown !== null) ? (
        <div className="prose">{shown}</div>
      ) : (
        <p className="text-muted">{texts.note.noEmbed}</p>
      )}
    </figure>
  );
}

function EmbeddedCanvas({ path }: { readonly path: string }): ReactNode {
  const { value, problem } = useText(path);
  return (
    <figure className="embed">
      <figcaption>
        <Link to={fileAddress(path)}>{nameOf(path)}</Link>
      </figcaption>
      {problem !== null ? <p className="text-muted">{texts.note.noEmbed}</p> : null}
      {value === null ? null : <Canvas text={value.text} file={path} />}
    </figure>
  );
}
