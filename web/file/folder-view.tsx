import type { ReactNode } from "react";

import type { TreeEntry } from "../../src/server/api/contract.ts";
import { address, getJson } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { Link } from "../app/link.tsx";
import { fileAddress } from "../app/addresses.ts";
import { language, texts } from "../texts/texts.ts";
import { isImage, nameOf } from "../tree/paths.ts";
import { formatBytes, formatTokens } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Empty, NotLoaded } from "../ui/notice.tsx";
import { TimeAgo } from "../ui/time-ago.tsx";
import { View } from "../ui/view.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";

/** What is in a folder, with sizes and last changes. */
export function FolderView({ path }: { readonly path: string }): ReactNode {
  const { value, problem, reload } = useResource<TreeEntry>(
    path,
    async (signal) => getJson(address("/api/tree", { path, depth: 1 }), signal),
    (event) =>
      event.type === "file" &&
      [...event.changed, ...event.gone].some((each) => each.startsWith(path)),
  );
  return (
    <View header={<Breadcrumb path={path} />}>
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
        {texts.folder.files(files)} · {texts.file.tokens(formatTokens(tokens))}
      </p>
      {children.length === 0 ? (
        <Empty icon="folder" title={texts.folder.empty} />
      ) : (
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line text-left text-xs text-muted">
              <th scope="col" className="py-2 pl-2 font-medium">
                {texts.folder.name}
              </th>
              <th scope="col" className="py-2 text-right font-medium">
                {texts.folder.tokens}
              </th>
              <th scope="col" className="py-2 pr-2 text-right font-medium">
                {texts.folder.changed}
              </th>
            </tr>
          </thead>
          <tbody>
            {children.map((entry) => (
              <tr key={entry.path} className="border-b border-line hover:bg-panel">
                <td className="py-2 pl-2">
                  <Link
                    to={fileAddress(entry.path)}
                    className="flex items-center gap-2.5 rounded hover:text-accent"
                  >
                    <span className="text-muted">
                      <Icon name={iconOf(entry)} />
                    </span>
                    <span
                      className={`[overflow-wrap:anywhere] ${entry.kind === "folder" ? "font-medium" : ""}`}
                    >
                      {nameOf(entry.path)}
                    </span>
                  </Link>
                </td>
                <td className="whitespace-nowrap py-2 pl-3 text-right tabular-nums text-muted">
                  {sizeOf(entry)}
                </td>
                <td className="whitespace-nowrap py-2 pl-3 pr-2 text-right text-muted">
                  {entry.changed === null ? "—" : <TimeAgo at={entry.changed} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function iconOf({ kind, path }: TreeEntry): "folder" | "image" | "file" {
  if (kind === "folder") return "folder";
  return isImage(path) ? "image" : "file";
}

function sizeOf({ tokens, bytes, image }: TreeEntry): string {
  return image === undefined ? formatTokens(tokens) : formatBytes(bytes ?? 0, language);
}
