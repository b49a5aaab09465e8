/** Run as a process: converts something that does not end. To be killed. */
import { ConverterProcess } from "../convert/converter-process.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { slowPage } from "./slow-page.ts";

/** A limit that no other process has: it identifies the converting process. */
const limits = { ...DEFAULT_LIMITS, memoryBytes: 987_654_321 };
const bytes = Buffer.from(slowPage());
const kind = { kind: "html", mimeType: "text/html", encoding: "utf-8" } as const;
const converting = new ConverterProcess(limits).convert({
  name: "slow.html",
  bytes,
  kind,
  limits,
  ocr: {},
});
process.stdout.write("converting\n");
await converting;
