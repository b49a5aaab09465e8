import type { LinksAnswer } from "../../src/server/api/contract.ts";
import { address, getJson } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { isMarkdown } from "../tree/paths.ts";

/** The links of a note and those to it; again when any file changes, since that may make or end one. */
export function useNoteLinks(path: string): LinksAnswer | null {
  const { value } = useResource<LinksAnswer>(
    `links ${path}`,
    async (signal) =>
      isMarkdown(path)
        ? getJson(address("/api/links", { path }), signal)
        : { outgoing: [], incoming: [] },
    (event) => event.type === "file",
  );
  return value;
}
