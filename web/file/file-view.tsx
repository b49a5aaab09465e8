import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";

import type { ShownFile } from "../../src/server/api/contract.ts";
import { IS_TEAM, useAccess } from "../api/access.ts";
import { keep } from "../api/keep.ts";
import type { LiveEvent } from "../api/live-events.ts";
import { address, getJson, rawAddress } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useResource } from "../api/use-resource.ts";
import { Link } from "../app/link.tsx";
import { WhyReadOnly } from "../app/why-read-only.tsx";
import { editAddress, fileAddress, historyAddress, type LineRange } from "../app/addresses.ts";
import { draftKeys } from "../editor/draft-keys.ts";
import { Backlinks } from "../links/backlinks.tsx";
import { useNoteLinks } from "../links/use-note-links.ts";
import { texts } from "../texts/texts.ts";
import { isEditable, isImage, isMarkdown } from "../tree/paths.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, Loading, NotLoaded } from "../ui/notice.tsx";
import { View } from "../ui/view.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { CreateMissing, FileActions } from "./file-actions.tsx";
import { FileText } from "./file-text.tsx";
import { MediaView, mediaKind } from "./media-view.tsx";

interface FileViewProps {
  readonly path: string;
  /** It is being written, and not only read. */
  readonly isEditing?: boolean;
  readonly lines: LineRange | null;
  readonly anchor: string | null;
}

/** Only where a team is. */
const PresentPeople = lazy(async () => ({
  default: (await import("../team/present-people.tsx")).PresentPeople,
}));

/** Where nothing is, most never come. */
const AlikeNotes = lazy(async () => ({
  default: (await import("./alike-notes.tsx")).AlikeNotes,
}));

const Writing = lazy(async () => ({ default: (await import("../editor/writing.tsx")).Writing }));

const NUMBERS = "coffre-line-numbers";

/** Whether what happened concerns a file. */
export function touches(event: LiveEvent, path: string): boolean {
  if (event.type !== "file") return false;
  return event.changed.includes(path) || event.gone.includes(path);
}

/** One file: a note to read, its numbered lines, or an image. Loaded again whenever it changes. */
export function FileView({ path, lines, anchor, isEditing = false }: FileViewProps): ReactNode {
  const { router } = useServices();
  const [isMissing, setMissing] = useState(false);
  const mayWrite = useAccess().mayWrite(path);
  const canEdit = mayWrite && isEditable(path);
  const [isNumbered, setNumbered] = useState(() => window.localStorage.getItem(NUMBERS) === "yes");
  const toggle = (): void => {
    keep(window.localStorage, NUMBERS, isNumbered ? "no" : "yes");
    setNumbered(!isNumbered);
  };
  const isPicture = isImage(path);
  const isMedia = mediaKind(path) !== null;
  const header = (
    <>
      <Breadcrumb path={path} />
      <div className="-ml-2.5 flex flex-wrap items-center gap-1">
        {canEdit && !isEditing && !isMissing ? (
          <Button look="plain" onClick={() => router.go(editAddress(path))}>
            <Icon name="pencil" />
            {texts.write.edit}
          </Button>
        ) : null}
        {isPicture || isMedia || isEditing || isMissing ? null : (
          <Button
            look="plain"
            aria-pressed={isNumbered}
            onClick={toggle}
            className="aria-pressed:bg-code aria-pressed:text-ink"
          >
            <Icon name="lines" />
            {texts.file.numbers}
          </Button>
        )}
        <Link
          to={historyAddress(path)}
          className="inline-flex min-h-8 items-center gap-1.5 rounded-md px-2.5 text-sm font-medium text-muted hover:bg-code hover:text-ink"
        >
          <Icon name="history" />
          {texts.file.fileHistory}
        </Link>
        {isEditing || isMissing || !mayWrite ? null : <FileActions path={path} />}
      </div>
      {mayWrite ? null : <WhyReadOnly where="note" note={path} />}
      {IS_TEAM ? (
        <Suspense>
          <PresentPeople path={path} />
        </Suspense>
      ) : null}
    </>
  );
  return (
    <View header={header}>
      {isPicture ? (
        <Picture path={path} />
      ) : isMedia ? (
        <MediaView path={path} />
      ) : (
        <TextFile
          path={path}
          lines={lines}
          anchor={anchor}
          isNumbered={isNumbered}
          isEditing={isEditing && canEdit}
          onMissing={setMissing}
        />
      )}
    </View>
  );
}

interface TextFileProps extends FileViewProps {
  readonly isNumbered: boolean;
  /** Says whether the file is not there. */
  readonly onMissing: (isMissing: boolean) => void;
}

function TextFile(props: TextFileProps): ReactNode {
  const { path, lines, anchor, isNumbered, isEditing = false, onMissing } = props;
  const { router } = useServices();
  const { mayWrite } = useAccess();
  const links = useNoteLinks(path);
  const { value, problem, reload } = useResource<ShownFile>(
    path,
    async (signal) => getJson(address("/api/file", { path }), signal),
    (event) => touches(event, path),
  );
  const isMissing = problem?.code === "not_found";
  useEffect(() => onMissing(isMissing), [onMissing, isMissing]);
  // Without an answer of the service too: a draft may wait here.
  const isAway = problem !== null && !isMissing;
  if (isEditing && (value !== null || isAway || (isMissing && hasDraft(path)))) {
    const read = (): void => router.replace(fileAddress(path));
    return (
      <Suspense fallback={<Loading />}>
        <Writing path={path} text={value?.text ?? null} onDone={read} />
      </Suspense>
    );
  }
  if (isMissing) {
    return (
      <Empty icon="file" title={texts.file.notFound}>
        <p>{texts.file.notFoundHint}</p>
        <p className="mt-2 text-sm">{problem.message}</p>
        {isMarkdown(path) ? (
          <Suspense>
            <AlikeNotes path={path} />
          </Suspense>
        ) : null}
        {isMarkdown(path) && mayWrite(path) ? <CreateMissing path={path} /> : null}
      </Empty>
    );
  }
  if (problem?.code === "not_text" || problem?.code === "too_large") {
    return (
      <Empty icon="file" title={texts.file.notText}>
        <a href={rawAddress(path)} download className="text-accent underline">
          {texts.file.original}
        </a>
      </Empty>
    );
  }
  if (value !== null) {
    return (
      <>
        <FileText
          file={value}
          lines={lines}
          anchor={anchor}
          isNumbered={isNumbered}
          links={links}
        />
        <Backlinks path={path} links={links} />
      </>
    );
  }
  return <NotLoaded problem={problem} onRetry={reload} />;
}

/** Whether something was written that only this browser has. */
function hasDraft(path: string): boolean {
  return draftKeys(window.localStorage).some((each) => each.path === path);
}

/** An image, asked for again when it changes. */
function Picture({ path }: { readonly path: string }): ReactNode {
  const [isBroken, setBroken] = useState(false);
  const { value } = useResource(
    path,
    async () => Date.now(),
    (event) => touches(event, path),
  );
  if (isBroken) return <Empty icon="image" title={texts.file.notText} />;
  return (
    <img
      src={`${rawAddress(path)}&at=${value ?? 0}`}
      alt={path}
      className="max-w-full rounded-lg border border-line"
      onError={() => setBroken(true)}
    />
  );
}
