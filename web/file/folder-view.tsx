import type { ReactNode } from "react";

import type { TreeEntry } from "../../src/server/api/contract.ts";
import { useAccess } from "../api/access.ts";
import { address, getJson } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { Link } from "../app/link.tsx";
import { WhyReadOnly } from "../app/why-read-only.tsx";
import { fileAddress } from "../app/addresses.ts";
import { locale, texts } from "../texts/texts.ts";
import { isImage, nameOf, ROOT } from "../tree/paths.ts";
import { formatBytes, formatTokens } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Empty, NotLoaded } from "../ui/notice.tsx";
import { TimeAgo } from "../ui/time-ago.tsx";
import { View } from "../ui/view.tsx";
import { VirtualBody } from "../ui/virtual-body.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { FileActions, NewNote } from "./file-actions.tsx";

/** What is in a folder, with sizes and last changes. */
export function FolderView({ path }: { readonly path: string }): ReactNode {
  const mayWrite = useAccess().mayWrite(path);
  const { value, problem, reload } = useResource<TreeEntry>(
    path,
    async (signal) => getJson(address("/api/tree", { path, depth: 1 }), signal),
    (event) =>
      event.type === "file" &&
      [...event.changed, ...event.gone].some((each) => each.startsWith(path)),
  );
  return (
    <View
      header={
        <>
          <Breadcrumb path={path} />
          {mayWrite ? (
            <div className="-ml-2.5 flex flex-wrap items-center gap-1">
              <NewNote folder={path} />
              {path === ROOT ? null : <FileActions path={path} />}
            </div>
          ) : (
            <WhyReadOnly where="folder" />
          )}
        </>
      }
    >
      {value === null ? (
        <NotLoaded problem={problem} onRetry={reload} />
      ) : (
        <Listing folder={value} />
      )}
    </View>
  );
}

function Listing({ folder }: { readonly folder: TreeEntry }): ReactNode {
  const { path, files = 0, tokens, children = [] } = folder;
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{nameOf(path)}</h1>
      <p className="mb-5 mt-1 text-sm text-muted">
        {texts.folder.files(files)} · {texts.file.tokens(formatTokens(tokens, locale))}
      </p>
      {children.length === 0 ? (
        <Empty icon="folder" title={texts.folder.empty} />
      ) : (
        <Entries entries={children} />
      )}
    </>
  );
}

/** Above this many, rows out of sight are not in the document; then all have one height. */
const MANY = 200;
/** Pixels. */
const ROW = 38;

function Entries({ entries }: { readonly entries: readonly TreeEntry[] }): ReactNode {
  const isLong = entries.length > MANY;
  return (
    <table
      className={`w-full text-sm ${isLong ? "table-fixed" : ""}`}
      {...(isLong ? { "aria-rowcount": entries.length + 1 } : {})}
    >
      <thead>
        <tr className="border-b border-line text-left text-xs text-muted">
          <th scope="col" className="py-2 pl-2 font-medium">
            {texts.folder.name}
          </th>
          <th scope="col" className="w-20 py-2 text-right font-medium">
            {texts.folder.tokens}
          </th>
          <th scope="col" className="w-32 py-2 pr-2 text-right font-medium">
            {texts.folder.changed}
          </th>
        </tr>
      </thead>
      {isLong ? (
        <VirtualBody count={entries.length} rowHeight={ROW} columns={3}>
          {(index) => {
            const entry = entries[index];
            return entry === undefined ? null : (
              <Row key={entry.path} entry={entry} index={index} />
            );
          }}
        </VirtualBody>
      ) : (
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.path} entry={entry} index={null} />
          ))}
        </tbody>
      )}
    </table>
  );
}

/** @param index of an entry among many, whose row has a fixed height */
function Row({
  entry,
  index,
}: {
  readonly entry: TreeEntry;
  readonly index: number | null;
}): ReactNode {
  const isLong = index !== null;
  return (
    <tr
      className="border-b border-line hover:bg-panel"
      {...(isLong ? { "aria-rowindex": index + 2, style: { height: ROW } } : {})}
    >
      <td className={`pl-2 ${isLong ? "" : "py-2"}`}>
        <Link
          to={fileAddress(entry.path)}
          className="flex items-center gap-2.5 rounded hover:text-accent"
          title={isLong ? nameOf(entry.path) : undefined}
        >
          <span className="text-muted">
            <Icon name={iconOf(entry)} />
          </span>
          <span
            className={`${isLong ? "truncate" : "[overflow-wrap:anywhere]"} ${entry.kind === "folder" ? "font-medium" : ""}`}
          >
            {nameOf(entry.path)}
          </span>
        </Link>
      </td>
      <td
        className={`whitespace-nowrap pl-3 text-right tabular-nums text-muted ${isLong ? "" : "py-2"}`}
      >
        {sizeOf(entry)}
      </td>
      <td className={`whitespace-nowrap pl-3 pr-2 text-right text-muted ${isLong ? "" : "py-2"}`}>
        {entry.changed === null ? "—" : <TimeAgo at={entry.changed} />}
      </td>
    </tr>
  );
}

function iconOf({ kind, path }: TreeEntry): "folder" | "image" | "file" {
  if (kind === "folder") return "folder";
  return isImage(path) ? "image" : "file";
}

function sizeOf({ tokens, bytes, image }: TreeEntry): string {
  return image === undefined ? formatTokens(tokens, locale) : formatBytes(bytes ?? 0, locale);
}
