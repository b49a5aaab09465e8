import type { TidyView } from "../../src/server/api/agent-contract.ts";
import { getJson } from "../api/request.ts";
import { useResource, type Resource } from "../api/use-resource.ts";

/** What tidying proposes at present, and whether it runs every day. */
export function useTidy(): Resource<TidyView> {
  return useResource(
    "tidy",
    async (signal) => getJson("/api/tidy", signal),
    ({ type }) => type === "inbox",
  );
}
