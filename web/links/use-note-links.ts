import type { LinksAnswer } from "../../src/server/api/contract.ts";
import { address, getJson } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { isMarkdown } from "../tree/paths.ts";

/** The links of a note and those to it; again when any file changes, since that may make or end one. None of null, which is not asked for. */
export function useNoteLinks(path: string | null): LinksAnswer | null {
  const { value } = useResource<LinksAnswer>(
    `links ${path ?? ""}`,
    async (signal) =>
      path !== null && isMarkdown(path)
        ? getJson(address("/api/links", { path }), signal)
        : { outgoing: [], incoming: [] },
    (event) => path !== null && event.type === "file",
  );
  return value;
}
