import type { AttachedAnswer, NoteAnswer, SavedAnswer } from "../../src/server/api/contract.ts";
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
  save: async (path, body, base) => {
    let response: Response;
    try {
      response = await fetch(`${BASE}/api/note`, {
        method: "POST",
        headers: { ...CLIENT, "content-type": "application/json" },
        body: JSON.stringify({ path, body, base }),
      });
    } catch (error) {
      throw problemOf(error);
    }
    if (response.ok) return response.json();
    const answer: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    if (hasTheirs(answer)) return answer;
    throw await problemIn(response);
  },
};

function hasTheirs(answer: unknown): answer is { theirs: NoteAnswer } {
  return typeof answer === "object" && answer !== null && "theirs" in answer;
}

/** Puts a picture beside a note. Returns how the note shows it. */
export async function attachImage(note: string, file: File): Promise<string> {
  const where = address("/api/note/attachment", { note, name: file.name });
  const response = await send(where, { method: "POST", body: file });
  const { markdown }: AttachedAnswer = await response.json();
  return markdown;
}
