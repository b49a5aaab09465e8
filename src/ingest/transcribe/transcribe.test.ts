import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ingestSettings } from "../../config.ts";
import { refusalOf } from "../../testing/expected-error.ts";
import { temporaryFolder, temporaryVault } from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../../vault/vault.ts";
import { createIngest, type Ingest } from "../ingest.ts";
import { startTranscriptionServer } from "../testing/transcription-server.ts";
import { findMoonshine } from "../speech/moonshine-files.ts";
import { wavFile } from "../testing/wav-file.ts";
import { wordsOfCommand } from "./transcribe.ts";

const NOW = new Date(2026, 2, 14, 9, 30);
const by = { actor: "test" };
const recording = { name: "Mémo vocal.wav", bytes: wavFile() };

function ingestWith(environment: Readonly<Record<string, string>>): {
  vault: LocalVault;
  ingesting: Ingest;
} {
  const vault = temporaryVault({}, () => NOW);
  return {
    vault,
    ingesting: createIngest({ vault, now: () => NOW, settings: ingestSettings(environment) }),
  };
}

function noteOf({ root }: LocalVault, name: string): string {
  return readFileSync(path.join(root, name), "utf8");
}

/** A program that prints what it was given. */
function program(source: string): string {
  const file = path.join(temporaryFolder(), "whisper.mjs");
  writeFileSync(file, source);
  return `"${process.execPath}" "${file}"`;
}

describe("a recording", () => {
  it("is written down by a server that speaks OpenAI's API", async () => {
    const body = JSON.stringify({ text: " Rappeler le plombier demain.\n" });
    const server = await startTranscriptionServer(() => ({ status: 200, body }));
    const { vault, ingesting } = ingestWith({
      COFFRE_TRANSCRIBE_URL: server.url,
      COFFRE_TRANSCRIBE_KEY: "secret",
      COFFRE_TRANSCRIBE_MODEL: "small",
    });
    const { paths } = await ingesting.ingest(recording, by);
    expect(paths).toEqual(["bucket/2026-03-14-memo-vocal.md"]);
    expect(noteOf(vault, paths[0] ?? "")).toContain(
      "# Mémo vocal\n\nRappeler le plombier demain.\n",
    );
    expect(server.heard).toEqual([
      {
        path: "/v1/audio/transcriptions",
        authorization: "Bearer secret",
        model: "small",
        name: "Mémo vocal.wav",
        bytes: recording.bytes,
      },
    ]);
  });

  it("is written down by a program of this machine, which leaves nothing behind", async () => {
    const command = program(
      'import { statSync } from "node:fs"; const [flag, file] = process.argv.slice(2); console.log(flag, statSync(file).size, "octets entendus");',
    );
    const { vault, ingesting } = ingestWith({ COFFRE_WHISPER_COMMAND: `${command} -f {file}` });
    const { paths } = await ingesting.ingest(recording, by);
    expect(noteOf(vault, paths[0] ?? "")).toContain(`-f ${recording.bytes.length} octets entendus`);
    expect(readdirSync(path.join(vault.state, "ingest"))).toEqual([]);
  });

  it("is kept, with a note that says what to configure, when nobody can write it down", async () => {
    const { vault, ingesting } = ingestWith({});
    const { paths, notices } = await ingesting.ingest(recording, by);
    expect(paths).toEqual(["bucket/2026-03-14-memo-vocal.md", "bucket/2026-03-14-memo-vocal.wav"]);
    expect(notices[0]).toContain("COFFRE_TRANSCRIBE_URL");
    expect(noteOf(vault, paths[0] ?? "")).toContain("COFFRE_WHISPER_COMMAND");
    expect(readFileSync(path.join(vault.root, paths[1] ?? ""))).toEqual(recording.bytes);
  });

  it("that was kept so is written down when it comes again and somebody can", async () => {
    const { vault, ingesting } = ingestWith({});
    await ingesting.ingest(recording, by);
    expect((await ingesting.ingest(recording, by)).duplicateOf).toBe(
      "bucket/2026-03-14-memo-vocal.md",
    );
    const settings = ingestSettings({ COFFRE_WHISPER_COMMAND: program('console.log("Bonjour")') });
    const able = createIngest({ vault, now: () => NOW, settings });
    const { paths } = await able.ingest(recording, by);
    expect(noteOf(vault, paths[0] ?? "")).toContain("Bonjour");
    expect((await able.ingest(recording, by)).duplicateOf).toBe(paths[0]);
  });

  it("that the server refuses is not filed, and the reason is told", async () => {
    const server = await startTranscriptionServer(() => ({ status: 401, body: "bad key" }));
    const { vault, ingesting } = ingestWith({
      COFFRE_TRANSCRIBE_URL: `${server.url}/audio/transcriptions`,
    });
    const refusal = await refusalOf(async () => ingesting.ingest(recording, by));
    expect(refusal?.code).toBe("unavailable");
    expect(refusal?.message).toContain("answered 401; check COFFRE_TRANSCRIBE_KEY: bad key");
    expect(existsSync(path.join(vault.root, "bucket"))).toBe(false);
  });

  it.each([
    [{ COFFRE_TRANSCRIBE_URL: "http://127.0.0.1:9/v1" }, "did not answer"],
    [{ COFFRE_WHISPER_COMMAND: "/no/such/program" }, "cannot be started"],
    [
      { COFFRE_MOONSHINE: "on" },
      "Install it where coffre is: npm install --ignore-scripts @usefulsensors/moonshine-js",
    ],
    [{ COFFRE_MOONSHINE: "/no/such/folder" }, "/no/such/folder has no Moonshine"],
    [
      {
        COFFRE_WHISPER_COMMAND: `"${process.execPath}" -e "console.error('no model'); process.exit(3)"`,
      },
      "ended with 3: no model",
    ],
  ])("tells what is wrong with its configuration: %j", async (environment, why) => {
    const { ingesting } = ingestWith(environment);
    const refusal = await refusalOf(async () => ingesting.ingest(recording, by));
    expect(refusal?.code).toBe("unavailable");
    expect(refusal?.message).toContain(why);
  });
});

/** A folder with weights that are none. */
function brokenModel(): string {
  const folder = temporaryFolder();
  const module = path.join(folder, "node_modules");
  for (const name of ["onnxruntime-web", "llama-tokenizer-js"]) {
    mkdirSync(path.join(module, name), { recursive: true });
    writeFileSync(path.join(module, name, "index.js"), "exports.InferenceSession = null;");
  }
  for (const name of ["encoder_model.onnx", "decoder_model_merged.onnx"]) {
    writeFileSync(path.join(folder, name), "none");
  }
  return folder;
}

describe("Moonshine", () => {
  it("finds its runtime beside its weights", () => {
    const folder = brokenModel();
    const found = findMoonshine(folder);
    expect(found.encoder).toBe(path.join(folder, "encoder_model.onnx"));
    expect(found.runtime).toContain(path.join("onnxruntime-web", "index.js"));
  });

  it("that cannot be loaded is not the fault of the recording", async () => {
    const { vault, ingesting } = ingestWith({ COFFRE_MOONSHINE: brokenModel() });
    const refusal = await refusalOf(async () => ingesting.ingest(recording, by));
    expect(refusal?.code).toBe("unavailable");
    expect(refusal?.message).toMatch(/^Moonshine cannot be loaded: .*Check COFFRE_MOONSHINE\.$/u);
    expect(readdirSync(path.join(vault.state, "ingest"))).toEqual([]);
  });

  it("needs no model to hear that nothing is said", async () => {
    const silent = wavFile();
    silent.fill(0, 44);
    const { ingesting } = ingestWith({ COFFRE_MOONSHINE: brokenModel() });
    const { notices } = await ingesting.ingest({ name: "silence.wav", bytes: silent }, by);
    expect(notices).toEqual(["No speech was heard in this recording."]);
  });
});

describe("the configuration of speech", () => {
  it("takes OpenAI's own key for OpenAI's own address only", () => {
    const key = { OPENAI_API_KEY: "sk" };
    const of = (url: string): unknown =>
      ingestSettings({ ...key, COFFRE_TRANSCRIBE_URL: url }).transcription;
    expect(of("https://api.openai.com/v1")).toMatchObject({ key: "sk", model: "whisper-1" });
    expect(of("https://api.openai.com.example.org/v1")).toMatchObject({ key: undefined });
    expect(ingestSettings(key).transcription).toBeUndefined();
  });

  it("prefers a server to a program, and both to the model on this machine", () => {
    const of = (environment: Readonly<Record<string, string>>): unknown =>
      ingestSettings(environment).transcription;
    const moonshine = { COFFRE_MOONSHINE: "on" };
    expect(of(moonshine)).toEqual({ kind: "moonshine", folder: null });
    expect(of({ COFFRE_MOONSHINE: "/models" })).toEqual({ kind: "moonshine", folder: "/models" });
    expect(of({ COFFRE_MOONSHINE: "off" })).toBeUndefined();
    expect(of({ ...moonshine, COFFRE_WHISPER_COMMAND: "w" })).toMatchObject({ kind: "command" });
    expect(of({ ...moonshine, COFFRE_TRANSCRIBE_URL: "http://a" })).toMatchObject({
      kind: "endpoint",
    });
  });

  it("takes a command apart as a shell would", () => {
    expect(wordsOfCommand(`"/opt/my tools/whisper" -m '/m/a b.bin' -f {file} -l=fr`)).toEqual([
      "/opt/my tools/whisper",
      "-m",
      "/m/a b.bin",
      "-f",
      "{file}",
      "-l=fr",
    ]);
  });
});
