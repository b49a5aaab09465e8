import type {
  AttachedAnswer,
  NoteAnswer,
  PropertiesAnswer,
  SavedAnswer,
} from "../../src/server/api/contract.ts";
import { problemIn, problemOf } from "../api/problem.ts";
import { BASE } from "../api/base.ts";
import { address, CLIENT, getJson, send } from "../api/request.ts";

/** What a save led to: it is saved, or the note is another by now. */
export type SaveResult = SavedAnswer | { readonly theirs: NoteAnswer };

/** How a note is loaded and saved. */
export interface NoteApi {
  readonly load: (path: string) => Promise<NoteAnswer>;
  /** @param base the version that it was read at; null to create it */
  readonly save: (path: string, body: string, base: string | null) => Promise<SaveResult>;
}

export const noteApi: NoteApi = {
  load: async (path) => getJson(address("/api/note", { path })),
  save: async (path, body, base) => postNote("/api/note", { path, body, base }),
};

/** A change of properties: what to set, what to remove, and the frontmatter that they were read in. */
export interface PropertiesChange {
  readonly path: string;
  readonly set: Readonly<Record<string, unknown>>;
  readonly remove: readonly string[];
  readonly head: string;
}

/** What it led to: it is saved, or one of the properties is another by now. */
export type PropertiesResult = PropertiesAnswer | { readonly theirs: { readonly head: string } };

export async function saveProperties(change: PropertiesChange): Promise<PropertiesResult> {
  return postNote("/api/note/properties", change);
}

/** Sends a change; what somebody else wrote meanwhile is an answer too. Throws a `RequestProblem`. */
async function postNote<T>(where: string, body: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(BASE + where, {
      method: "POST",
      headers: { ...CLIENT, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch (error) {
    throw problemOf(error);
  }
  if (response.ok) return response.json();
  const answer: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (typeof answer === "object" && answer !== null && "theirs" in answer) return response.json();
  throw await problemIn(response);
}

/** Puts a picture beside a note. Returns how the note shows it. */
export async function attachImage(note: string, file: File): Promise<string> {
  const where = address("/api/note/attachment", { note, name: file.name });
  const response = await send(where, { method: "POST", body: file });
  const { markdown }: AttachedAnswer = await response.json();
  return markdown;
}
