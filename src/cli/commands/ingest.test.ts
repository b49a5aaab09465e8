import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { docxFile } from "../../ingest/testing/office-files.ts";
import { pdfFile } from "../../ingest/testing/pdf-file.ts";
import { temporaryFolder, writeFiles, type Files } from "../../testing/temporary-vault.ts";
import { field, startService, temporaryPlace } from "../testing/cli.ts";

const now = (): Date => new Date(2026, 2, 14, 9, 30);

/** Files of this machine, outside any vault: their places. */
function filesOutside(files: Files): string[] {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  return Object.keys(files).map((name) => path.join(folder, name));
}

describe("coffre ingest", () => {
  it("takes files in, says what became of each, and makes them findable", async () => {
    const place = temporaryPlace();
    const files = filesOutside({ "jardin.docx": docxFile(), "note.txt": "Trois kakis" });
    const { code, stdout, stderr } = await place.run(["ingest", ...files], { now });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^jardin\.docx → vault\/bucket\/2026-03-14-jardin\.md, vault\/bucket\/2026-03-14-jardin-image-1\.png \(history: \w+\)\nnote\.txt → vault\/bucket\/2026-03-14-note\.md \(history: \w+\)\n$/u,
    );
    expect((await place.run(["search", "kakis"])).stdout).toContain("2026-03-14-note.md");
  });

  it("takes in what it can, and tells of the rest", async () => {
    const place = temporaryPlace();
    const [good = "", bad = ""] = filesOutside({ "a.txt": "a", "b.bin": Buffer.from([1, 2]) });
    const { code, stdout, stderr } = await place.run(["ingest", bad, good, "/no/such.pdf"], {
      now,
    });
    expect(code).toBe(0);
    expect(stdout).toContain("a.txt → vault/bucket/2026-03-14-a.md");
    expect(stderr).toMatch(
      /^b\.bin is of an unknown format[^\n]*\n\/no\/such\.pdf does not exist\.\n$/u,
    );
  });

  it("exits 1 when nothing could be taken in", async () => {
    const { code, stdout, stderr } = await temporaryPlace().run(["ingest", "/no/such.pdf"]);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: "/no/such.pdf does not exist.\n",
    });
  });

  it("gives programs the paths, the type, the duplicate and the history as JSON", async () => {
    const place = temporaryPlace();
    const [file = ""] = filesOutside({ "a.txt": "a" });
    const first = await place.json(
      ["ingest", file, "--to", "vault/projects/x/", "--keep-original"],
      { now },
    );
    expect(first).toEqual({
      files: [
        {
          name: "a.txt",
          type: "text/plain",
          title: "a",
          paths: ["vault/projects/x/2026-03-14-a.md", "vault/projects/x/2026-03-14-a.txt"],
          duplicate_of: null,
          notices: [],
          history: expect.stringMatching(/^\w+$/u),
        },
      ],
      failures: [],
    });
    const again = await place.json(["ingest", file]);
    expect(field(again, "files", 0, "duplicate_of")).toBe("vault/projects/x/2026-03-14-a.md");
  });

  it("takes standard input in, under the name it is given", async () => {
    const place = temporaryPlace();
    const stdin = pdfFile([["Bonjour"]]);
    const { code, stdout } = await place.run(["ingest", "-", "--name", "Lettre.pdf"], {
      stdin,
      now,
    });
    expect(code).toBe(0);
    expect(stdout).toContain("Lettre.pdf → vault/bucket/2026-03-14-lettre.md");
  });

  it("exits 2 when standard input is a terminal, and when --name has nothing to name", async () => {
    const { run } = temporaryPlace();
    expect((await run(["ingest", "-"], { terminal: true })).code).toBe(2);
    expect((await run(["ingest", "a.txt", "--name", "b"])).code).toBe(2);
  });

  it("shows how far it is on a terminal", async () => {
    const place = temporaryPlace();
    const [file = ""] = filesOutside({ "r.pdf": pdfFile([["Un"], ["Deux"]]) });
    const { stderr } = await place.run(["ingest", file], { terminal: true });
    expect(stderr).toContain("Reading r.pdf: 2 of 2…");
    expect(stderr.endsWith("\u001b[2K")).toBe(true);
  });

  it("can be undone", async () => {
    const place = temporaryPlace();
    const [file = ""] = filesOutside({ "jardin.docx": docxFile() });
    const id = field(await place.json(["ingest", file]), "files", 0, "history");
    expect((await place.run(["undo", id])).code).toBe(0);
    expect(
      readdirSync(place.root, { recursive: true }).filter((name) =>
        String(name).includes("jardin"),
      ),
    ).toEqual([]);
  });

  it("works beside a running service, which then knows the note", async () => {
    const place = temporaryPlace();
    await startService(place, { now });
    const [file = ""] = filesOutside({ "a.txt": "Des kakis mûrs" });
    await place.run(["ingest", file]);
    expect((await place.run(["search", "kakis"])).stdout).toContain("2026-03-14-a.md");
    expect(readFileSync(path.join(place.root, "bucket/2026-03-14-a.md"), "utf8")).toContain(
      "kakis",
    );
  });

  it("does not tell in the note where on this machine the file was", async () => {
    const place = temporaryPlace();
    const [file = ""] = filesOutside({ "a.txt": "a" });
    writeFileSync(file, "b");
    await place.run(["ingest", file], { now });
    const note = readFileSync(path.join(place.root, "bucket/2026-03-14-a.md"), "utf8");
    expect(note).not.toContain(path.dirname(file));
  });
});
