import type { Limits } from "./limits.ts";
import type { OcrWish } from "./convert/ocr-data.ts";
import type { Transcription } from "./transcribe/transcribe.ts";

/** What a person can set. Everything has a default. */
export interface IngestSettings {
  readonly limits?: Partial<Limits>;
  readonly ocr?: OcrWish;
  /** Who turns speech into text; nobody when not given. */
  readonly transcription?: Transcription | undefined;
}
