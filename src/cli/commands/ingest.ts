import path from "node:path";

import { ingestSettings } from "../../config.ts";
import type { Filed } from "../../ingest/filing/filing.ts";
import type { Progress } from "../../ingest/filing/gather.ts";
import type { Ingest, Ingested, IngestSource } from "../../ingest/ingest.ts";
import { ingestedJson } from "../../ingest/ingested-json.ts";
import { ExpectedError } from "../../errors.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import { defineCommand, type CommandContext, type ExitCode } from "../table/command.ts";
import { withVault } from "../vault/open-vault.ts";
import type { Failure } from "../output/screen.ts";
import { readStdinBytes } from "../stdin.ts";
import { UsageError } from "../table/usage-error.ts";

export const ingest = defineCommand({
  name: "ingest",
  summary: "Take files in: PDF, Office, mails, web pages, archives, images, audio",
  group: "Change",
  positionals: {
    files: {
      kind: "list",
      label: "FILE",
      summary: "Files of this machine; - is standard input",
      completes: "file",
    },
  },
  options: {
    to: {
      kind: "text",
      label: "FOLDER",
      summary: "Where the notes go: vault/bucket/",
      completes: "vault-path",
    },
    "keep-original": { kind: "flag", summary: "Keep each file itself beside its note" },
    name: { kind: "text", label: "NAME", summary: "What to call standard input" },
  },
  details:
    "Each file becomes a note of markdown, an image stays one. A file that was taken in before is recognised by its content. What a note says was written by others: it is marked untrusted.",
  examples: [
    "coffre ingest ~/Downloads/devis.pdf",
    "coffre ingest *.docx --to vault/projects/garden/bucket/",
    "curl -s https://example.org/ | coffre ingest - --name page.html",
  ],
  synonyms: ["import", "add", "convert", "upload"],
  run: async (input, context) => {
    const sources = await sourcesOf(input.list("files"), input.text("name"), context);
    const folder = input.text("to");
    const options = {
      actor: "cli",
      keepOriginal: input.flag("keep-original"),
      ...(folder === undefined ? {} : { to: parsePath(folder).path }),
    };
    return withVault(context, async (vault) => {
      const { createIngest } = await import("../../ingest/ingest.ts");
      const settings = ingestSettings(context.environment);
      const ingesting = createIngest({ vault, now: context.now, settings });
      return ingestAll(ingesting, sources, options, context);
    });
  },
});

async function sourcesOf(
  files: readonly string[],
  name: string | undefined,
  { stdin }: CommandContext,
): Promise<IngestSource[]> {
  const count = files.filter((file) => file === "-").length;
  if (count > 1) throw new UsageError("Standard input can be taken in once.");
  if (name !== undefined && count === 0)
    throw new UsageError("--name is for standard input: give - as FILE.");
  return Promise.all(
    files.map(async (file) =>
      file === "-"
        ? { name: name ?? "standard input", bytes: await readStdinBytes(stdin()) }
        : { name: path.basename(file), path: path.resolve(file) },
    ),
  );
}

/** What can be taken in is; the rest is told, and makes it fail only when nothing was. */
async function ingestAll(
  ingesting: Ingest,
  sources: readonly IngestSource[],
  options: Parameters<Ingest["ingest"]>[1],
  { screen }: CommandContext,
): Promise<ExitCode> {
  const done: Ingested[] = [];
  const failures: (Failure & { readonly name: string })[] = [];
  for (const [at, source] of sources.entries()) {
    const count = sources.length > 1 ? `${at + 1}/${sources.length} ` : "";
    const onProgress = (progress: Progress): void =>
      screen.progress(count + progressText(progress));
    try {
      done.push(await ingesting.ingest(source, { ...options, onProgress }));
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      failures.push({ name: source.name, code: error.code, message: error.message });
    } finally {
      screen.progress(null);
    }
  }
  if (screen.json) {
    const shown = { files: done.map(ingestedJson), failures };
    if (done.length > 0) screen.printJson(shown);
    else screen.failJson(shown);
  } else {
    for (const each of done) screen.print(lines(each, 0).join("\n"));
    for (const { message } of failures) screen.warn(message);
  }
  return done.length > 0 ? 0 : 1;
}

function progressText({ name, stage, done, total }: Progress): string {
  const verb = { converting: "Reading", transcribing: "Listening to", filing: "Writing" }[stage];
  return total === undefined || done === undefined || total < 2
    ? `${verb} ${name}…`
    : `${verb} ${name}: ${done + 1} of ${total}…`;
}

/** For people: what was made of a file, and what should be known of it. */
function lines(filed: Filed & Partial<Ingested>, depth: number): string[] {
  const { name, paths, duplicateOf, notices, inside, failures, history } = filed;
  const indent = "  ".repeat(depth);
  const made =
    duplicateOf !== null
      ? `${name} was taken in before: ${showPath(duplicateOf)}.`
      : `${name} → ${paths.map((each) => showPath(each)).join(", ")}`;
  const undo = history == null ? "" : ` (history: ${history})`;
  return [
    `${indent}${made}${undo}`,
    ...notices.map((notice) => `${indent}  ${notice}`),
    ...inside.flatMap((each) => lines(each, depth + 1)),
    ...failures.map(({ message }) => `${indent}  ${message}`),
  ];
}
