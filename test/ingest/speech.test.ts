import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { ingestSettings } from "../../src/config.ts";
import { createIngest } from "../../src/ingest/ingest.ts";
import { startTranscriptionServer } from "../../src/ingest/testing/transcription-server.ts";
import { temporaryFolder, temporaryVault } from "../../src/testing/temporary-vault.ts";

const SAID = "Rappeler le plombier demain matin.";

it("sends speech made by espeak-ng to a server of this machine, and files what it answers", async () => {
  const file = path.join(temporaryFolder(), "mémo.wav");
  execFileSync("espeak-ng", ["-v", "fr", "-w", file, SAID]);
  const speech = readFileSync(file);
  const server = await startTranscriptionServer(({ bytes, name }) => {
    const isWhole = name === "mémo.wav" && bytes.equals(speech);
    return { status: 200, body: JSON.stringify({ text: isWhole ? SAID : "?" }) };
  });
  const vault = temporaryVault();
  const settings = ingestSettings({ COFFRE_TRANSCRIBE_URL: server.url });
  const ingesting = createIngest({ vault, now: () => new Date(2026, 2, 14), settings });
  const { paths, type } = await ingesting.ingest(
    { name: "mémo.wav", path: file },
    { actor: "test" },
  );
  expect(type).toBe("audio/wav");
  // More than a second of sound, and not silence.
  expect(speech.length).toBeGreaterThan(44_100);
  expect(readFileSync(path.join(vault.root, paths[0] ?? ""), "utf8")).toContain(SAID);
});
