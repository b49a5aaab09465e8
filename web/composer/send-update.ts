import type { AcceptedUpdate, UpdateFields } from "../../src/server/api/agent-contract.ts";
import { RequestProblem } from "../api/problem.ts";
import { send } from "../api/request.ts";
import { texts } from "../texts/texts.ts";
import type { ComposerState } from "./composer-model.ts";

/** Bytes: what the service takes, of one file and of all. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
const MAX_BYTES = 300 * 1024 * 1024;

/** Sends a note and its files as one update. Throws a `RequestProblem` that says what to do. */
export async function sendUpdate({
  note,
  attachments,
  answering,
  isShared,
  isPreview,
}: Pick<
  ComposerState,
  "note" | "attachments" | "answering" | "isShared" | "isPreview"
>): Promise<AcceptedUpdate> {
  const sizes = attachments.map(({ file }) => file.size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > MAX_BYTES || sizes.some((size) => size > MAX_FILE_BYTES))
    throw new RequestProblem("too_large", texts.composer.tooLarge);
  const form = new FormData();
  const set = (field: keyof UpdateFields, value: string): void => form.set(field, value);
  set("content", note);
  if (answering !== null) set("inbox_ref", answering.ref);
  if (isShared) set("untrusted", "true");
  if (isPreview) set("preview", "true");
  for (const { name, file } of attachments) form.append("file", file, name);
  const response = await send("/api/update", { method: "POST", body: form });
  return response.json();
}
