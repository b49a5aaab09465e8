import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { createIngest } from "../../ingest/ingest.ts";
import type { IngestSettings } from "../../ingest/ingest.ts";
import { docxFile } from "../../ingest/testing/office-files.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../../vault/vault.ts";
import { createApp } from "./app.ts";
import { CLIENT_HEADER } from "../http/request.ts";
import { simpleService } from "../testing/simple-service.ts";

const NOW = new Date(2026, 2, 14, 9, 30);

interface Place {
  readonly vault: LocalVault;
  readonly send: (form: FormData | string, headers?: Record<string, string>) => Promise<Response>;
  /** What is left of what was sent. */
  readonly left: () => string[];
}

function place(settings: IngestSettings = {}): Place {
  const vault = temporaryVault({}, () => NOW);
  const now = (): Date => NOW;
  const app = createApp({
    service: simpleService(vault),
    version: "1.2.3",
    now,
    onBug: (error) => {
      throw error;
    },
    ingest: createIngest({ vault, now, settings }),
  });
  const folder = path.join(vault.state, "ingest");
  return {
    vault,
    send: async (body, headers = {}) =>
      app.request("/api/ingest", { method: "POST", body, headers }),
    left: () => (existsSync(folder) ? readdirSync(folder) : []),
  };
}

function form(
  files: Readonly<Record<string, string | Uint8Array>>,
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  for (const [name, content] of Object.entries(files))
    made.append("file", new File([Buffer.from(content)], name));
  return made;
}

describe("POST /api/ingest", () => {
  it("takes the files of a form in, and says what became of each", async () => {
    const { vault, send, left } = place();
    const files = { "Été.docx": docxFile(), "b.bin": Buffer.from([1, 2, 3]) };
    const response = await send(form(files, { to: "vault/projects/x/", keep_original: "true" }), {
      [CLIENT_HEADER]: "curl",
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      files: [
        expect.objectContaining({
          name: "Été.docx",
          title: "Le jardin",
          paths: [
            "vault/projects/x/2026-03-14-ete.md",
            "vault/projects/x/2026-03-14-ete-image-1.png",
            "vault/projects/x/2026-03-14-ete.docx",
          ],
          duplicate_of: null,
        }),
      ],
      failures: [expect.objectContaining({ name: "b.bin", code: "not_text" })],
    });
    expect(readFileSync(path.join(vault.root, "projects/x/2026-03-14-ete.docx"))).toEqual(
      docxFile(),
    );
    expect((await vault.log({ path: null, limit: 1 }))[0]).toMatchObject({
      actor: "curl",
      call: "ingest",
    });
    expect(left()).toEqual([]);
  });

  it("answers with a problem when nothing could be taken in", async () => {
    const response = await place().send(form({ "b.bin": Buffer.from([1, 2, 3]) }));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: "not_text",
      detail: expect.stringContaining("b.bin"),
    });
  });

  it("refuses a file that is too large while it comes in, and keeps nothing of it", async () => {
    const { send, left } = place({ limits: { bytes: 100_000 } });
    const response = await send(form({ "a.txt": "x".repeat(200_000) }));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      detail: expect.stringContaining("a.txt is larger than 100 kB"),
    });
    expect(left()).toEqual([]);
  });

  it("refuses what is no form, a form without files, and one that is cut off", async () => {
    const { send, left } = place();
    expect((await send("{}", { "content-type": "application/json" })).status).toBe(400);
    expect((await send(form({}, { to: "bucket" }))).status).toBe(400);
    const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf';
    expect((await send(cut, { "content-type": "multipart/form-data; boundary=b" })).status).toBe(
      400,
    );
    expect(left()).toEqual([]);
  });

  it("takes nothing that would leave the vault", async () => {
    const { send } = place();
    const outside = await send(form({ "a.txt": "a" }, { to: "../elsewhere" }));
    expect(await outside.json()).toMatchObject({ code: "outside_vault" });
    const named = await send(form({ "../../../etc/passwd.txt": "a" }));
    expect(await named.json()).toMatchObject({
      files: [{ paths: ["vault/bucket/2026-03-14-passwd.md"] }],
    });
  });
});
