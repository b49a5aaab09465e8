import { useState, type ReactNode } from "react";

import type { ShownFile } from "../../src/server/api/contract.ts";
import type { LiveEvent } from "../api/live-events.ts";
import { address, getJson, rawAddress } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { Link } from "../app/link.tsx";
import { historyAddress, type LineRange } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { isImage } from "../tree/paths.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, NotLoaded } from "../ui/notice.tsx";
import { View } from "../ui/view.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { FileText } from "./file-text.tsx";

interface FileViewProps {
  readonly path: string;
  readonly lines: LineRange | null;
  readonly anchor: string | null;
}

const NUMBERS = "coffre-line-numbers";

/** Whether what happened concerns a file. */
export function touches(event: LiveEvent, path: string): boolean {
  if (event.type !== "file") return false;
  return event.changed.includes(path) || event.gone.includes(path);
}

/** One file: a note to read, its numbered lines, or an image. Loaded again whenever it changes. */
export function FileView({ path, lines, anchor }: FileViewProps): ReactNode {
  const [isNumbered, setNumbered] = useState(() => window.localStorage.getItem(NUMBERS) === "yes");
  const toggle = (): void => {
    window.localStorage.setItem(NUMBERS, isNumbered ? "no" : "yes");
    setNumbered(!isNumbered);
  };
  const isPicture = isImage(path);
  const header = (
    <>
      <Breadcrumb path={path} />
      <div className="flex gap-1">
        {isPicture ? null : (
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
      </div>
    </>
  );
  return (
    <View header={header}>
      {isPicture ? (
        <Picture path={path} />
      ) : (
        <TextFile path={path} lines={lines} anchor={anchor} isNumbered={isNumbered} />
      )}
    </View>
  );
}

function TextFile(props: FileViewProps & { readonly isNumbered: boolean }): ReactNode {
  const { path, lines, anchor, isNumbered } = props;
  const { value, problem, reload } = useResource<ShownFile>(
    path,
    async (signal) => getJson(address("/api/file", { path }), signal),
    (event) => touches(event, path),
  );
  if (problem?.code === "not_found") {
    return (
      <Empty icon="file" title={texts.file.notFound}>
        <p>{texts.file.notFoundHint}</p>
        <p className="mt-2 text-sm">{problem.message}</p>
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
    return <FileText file={value} lines={lines} anchor={anchor} isNumbered={isNumbered} />;
  }
  return <NotLoaded problem={problem} onRetry={reload} />;
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
