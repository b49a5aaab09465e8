import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { docxFile } from "../testing/office-files.ts";
import { ConverterPool } from "./converter-pool.ts";
import type { ConverterProcess } from "./converter-process.ts";
import { kindOf } from "./file-kind.ts";

async function convert(converter: ConverterProcess, name: string, bytes: Buffer): Promise<string> {
  const kind = await kindOf(name, bytes);
  const job = { name, bytes, kind, limits: DEFAULT_LIMITS, ocr: {} };
  return (await converter.convert(job)).markdown;
}

const PAGE = Buffer.from("<html><body><p>Bonjour</p></body></html>");

describe("converting processes", () => {
  it("are used again", async () => {
    const pool = new ConverterPool(DEFAULT_LIMITS);
    const used = new Set<ConverterProcess>();
    for (let turn = 0; turn < 5; turn += 1) {
      const markdown = await pool.run(async (converter) => {
        used.add(converter);
        return convert(converter, "a.html", PAGE);
      });
      expect(markdown).toBe("Bonjour");
    }
    expect(used.size).toBe(1);
    for (const converter of used) converter.close();
  });

  it("see no other file after one that was refused", async () => {
    const pool = new ConverterPool(DEFAULT_LIMITS);
    const used = new Set<ConverterProcess>();
    const half = docxFile().subarray(0, 400);
    const refused = await refusalOf(async () =>
      pool.run(async (converter) => {
        used.add(converter);
        return convert(converter, "a.docx", half);
      }),
    );
    expect(refused).not.toBeNull();
    await pool.run(async (converter) => {
      used.add(converter);
      return convert(converter, "a.html", PAGE);
    });
    expect(used.size).toBe(2);
    for (const converter of used) converter.close();
  });

  it("are two at most, whoever else waits", async () => {
    const pool = new ConverterPool(DEFAULT_LIMITS);
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 6 }, async () =>
        pool.run(async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 10));
          running -= 1;
        }),
      ),
    );
    expect(most).toBe(2);
  });
});
