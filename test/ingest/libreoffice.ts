import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What LibreOffice makes of a flat document (`fodt`, `fodp`, `fods`) in other formats; a filter and its options may follow a format (`pdf:writer_pdf_Export:{…}`). */
export async function savedAs(
  flat: string,
  extension: string,
  formats: readonly string[],
): Promise<Map<string, Buffer>> {
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-office-"));
  try {
    const source = path.join(folder, `sample.${extension}`);
    writeFileSync(source, flat);
    const saved = new Map<string, Buffer>();
    for (const format of formats) {
      // A profile of its own: two tests may run at once.
      const profile = `-env:UserInstallation=file://${folder}/profile`;
      await run(
        "soffice",
        [profile, "--headless", "--convert-to", format, "--outdir", folder, source],
        {
          timeout: 120_000,
        },
      );
      saved.set(format, readFileSync(path.join(folder, `sample.${format.split(":")[0]}`)));
    }
    return saved;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
