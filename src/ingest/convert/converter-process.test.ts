import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it, onTestFinished } from "vitest";

import { startChild } from "../../testing/processes/child.ts";
import { refusalOf } from "../../testing/expected-error.ts";
import type { ConversionJob } from "../formats/formats.ts";
import { ConverterProcess } from "./converter-process.ts";
import { kindOf } from "./file-kind.ts";
import { DEFAULT_LIMITS, type Limits } from "../limits.ts";
import { docxFile } from "../testing/office-files.ts";
import { slowPage } from "../testing/slow-page.ts";
import { pdfFile } from "../testing/pdf-file.ts";

function converterWith(limits: Partial<Limits> = {}): ConverterProcess {
  const converter = new ConverterProcess({ ...DEFAULT_LIMITS, ...limits });
  onTestFinished(() => converter.close());
  return converter;
}

async function jobOf(name: string, content: string | Uint8Array): Promise<ConversionJob> {
  const bytes = Buffer.from(content);
  const kind = await kindOf(name, bytes);
  return { name, bytes, kind, limits: DEFAULT_LIMITS, ocr: {} };
}

async function slowJob(): Promise<ConversionJob> {
  return jobOf("slow.html", slowPage());
}

/** The ids of processes whose command line is like that. */
function processesWith(pattern: RegExp): string[] {
  return readdirSync("/proc").filter((id) => {
    if (!/^\d+$/u.test(id)) return false;
    try {
      return pattern.test(readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " "));
    } catch {
      // It ended meanwhile.
      return false;
    }
  });
}

/** Processor time that a process has used, in hundredths of a second: proof that it is at work. */
function cpuTicks(id: string): number {
  const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

describe("the process that converts", () => {
  it("gives what a file says, and goes on to the next", async () => {
    const converter = converterWith();
    const first = await converter.convert(await jobOf("a.docx", docxFile()));
    expect(first.markdown).toContain("# Le jardin");
    expect(Buffer.from(first.images[0]?.bytes ?? []).toString("latin1", 1, 4)).toBe("PNG");
    const second = await converter.convert(await jobOf("b.pdf", pdfFile([["Bonjour"]])));
    expect(second.markdown).toContain("Bonjour");
  });

  it("tells how far it is", async () => {
    const steps: string[] = [];
    const job = await jobOf("b.pdf", pdfFile([["Un"], ["Deux"], ["Trois"]]));
    await converterWith().convert(job, { step: (done, total) => steps.push(`${done}/${total}`) });
    expect(steps).toEqual(["0/3", "1/3", "2/3"]);
  });

  it("passes on why a file is refused", async () => {
    const job = await jobOf("secret.pdf", pdfFile([["x"]], { isEncrypted: true }));
    const refusal = await refusalOf(async () => converterWith().convert(job));
    expect(refusal?.message).toContain("secret.pdf is encrypted");
  });

  it("is ended when a file takes too long, and another takes its place", async () => {
    const converter = converterWith({ milliseconds: 6000 });
    const refusal = await refusalOf(async () => converter.convert(await slowJob()));
    expect(refusal?.message).toContain("slow.html was given up after 6 seconds");
    const next = await converter.convert(await jobOf("b.html", "<html><body><p>Bonjour"));
    expect(next.markdown).toBe("Bonjour");
  });

  it("is ended when a file takes too much memory, in buffers as in the heap", async () => {
    // The parsers alone take about 100 MB.
    const converter = converterWith({ memoryBytes: 200 * 1024 * 1024 });
    const job = await jobOf("large.docx", docxFile({ body: "<w:p/>".repeat(2_000_000) }));
    const refusal = await refusalOf(async () => converter.convert(job));
    expect(refusal?.code).toBe("too_large");
    expect(refusal?.message).toMatch(/large\.docx was given up: it takes more than 209\.7 MB/u);
  });

  it("ends with its parent, in whatever it is", async () => {
    const script = new URL("../testing/convert-slowly.ts", import.meta.url);
    const parent = startChild(script, []);
    await parent.printed("converting");
    const children = (): string[] => processesWith(/converter-main\.[tj]s 987654321 /u);
    const [child = ""] = children();
    await expect.poll(() => cpuTicks(child), { timeout: 50_000 }).toBeGreaterThan(50);
    await parent.kill();
    await expect.poll(children, { timeout: 50_000 }).toEqual([]);
  });

  it("is ended when nobody wants the result any more", async () => {
    const stop = new AbortController();
    // A limit that nobody else has: the converting process is found by it.
    const converter = converterWith({ memoryBytes: 987_654_322 });
    const children = (): string[] => processesWith(/converter-main\.[tj]s 987654322 /u);
    const converting = converter.convert(await slowJob(), { signal: stop.signal });
    const [child = ""] = children();
    await expect.poll(() => cpuTicks(child), { timeout: 50_000 }).toBeGreaterThan(50);
    stop.abort(new Error("not wanted"));
    await expect(converting).rejects.toThrow("not wanted");
    await expect.poll(children, { timeout: 50_000 }).toEqual([]);
  });
});
