import type { InboxItem } from "../../src/server/api/agent-contract.ts";
import { getJson } from "../api/request.ts";
import { useResource, type Resource } from "../api/use-resource.ts";

/** The items that wait for an answer, oldest first. */
export function useInbox(): Resource<{ readonly items: readonly InboxItem[] }> {
  return useResource(
    "inbox",
    async (signal) => getJson("/api/inbox", signal),
    ({ type }) => type === "inbox",
  );
}
