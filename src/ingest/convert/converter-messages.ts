import type { ErrorCode } from "../../errors.ts";
import type { ConversionJob } from "./convert-file.ts";
import type { Converted } from "./converted.ts";

/** What is said to the process that converts. */
export interface ConverterRequest {
  readonly id: number;
  readonly job: ConversionJob;
}

/** What it answers. */
export type ConverterReply =
  | { readonly id: number; readonly kind: "step"; readonly done: number; readonly total: number }
  | { readonly id: number; readonly kind: "done"; readonly converted: Converted }
  | {
      readonly id: number;
      readonly kind: "refused";
      readonly code: ErrorCode;
      readonly message: string;
    };

/** Written to standard error by the process before it ends itself for using too much memory. */
export const OUT_OF_MEMORY = "converter: out of memory";
