import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { SourceFile } from "../convert/converted.ts";
import { baseOf } from "../filing/note-name.ts";
import type { TranscribeOptions, TranscriptionEndpoint } from "./transcribe.ts";

const Answer = z.object({ text: z.string() });
const PATH = "/audio/transcriptions";

/** Sends a recording to a server and gives the text it answers with. */
export async function transcribeByEndpoint(
  file: SourceFile & { readonly mimeType: string },
  { url, key, model }: TranscriptionEndpoint,
  { signal }: Pick<TranscribeOptions, "signal">,
): Promise<string> {
  const form = new FormData();
  // Servers go by the extension.
  form.set(
    "file",
    new File([new Uint8Array(file.bytes)], baseOf(file.name), { type: file.mimeType }),
  );
  form.set("model", model);
  form.set("response_format", "json");
  const address = url.endsWith(PATH) ? url : url.replace(/\/+$/u, "") + PATH;
  const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` };
  let response: Response;
  try {
    response = await fetch(address, {
      method: "POST",
      body: form,
      signal,
      ...(headers && { headers }),
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw failed(
      address,
      `did not answer (${cause instanceof Error ? cause.message : "no reason given"})`,
      error,
    );
  }
  const body = await response.text();
  if (!response.ok) {
    const advice = response.status === 401 ? "; check COFFRE_TRANSCRIBE_KEY" : "";
    throw failed(
      address,
      `answered ${response.status}${advice}: ${body.slice(0, 300).trim() || response.statusText}`,
    );
  }
  const answer = Answer.safeParse(jsonOf(body));
  if (!answer.success) throw failed(address, "answered with something that is not a transcription");
  return answer.data.text;
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function failed(address: string, why: string, cause?: unknown): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `The transcription server ${address} ${why}. Is COFFRE_TRANSCRIBE_URL right, and the server running?`,
    { cause },
  );
}
