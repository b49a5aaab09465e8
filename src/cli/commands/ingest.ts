import path from "node:path";

import type { IngestedJson, IngestProgress } from "../../ingest/contract.ts";
import type { IngestAnswer } from "../../server/api/contract.ts";
import { ExpectedError } from "../../errors.ts";
import type { NamedBlob } from "../../server/client/remember-request.ts";
import type { VaultClient } from "../../server/client/vault-client.ts";
import { readStdinBytes } from "../table/stdin.ts";
import {
  arg,
  defineCommand,
  UsageError,
  type CommandContext,
  type ExitCode,
} from "../table/command.ts";
import { withVault } from "../vault/with-vault.ts";
import { fileBlob } from "./remember.ts";

export const ingest = defineCommand({
  name: "ingest",
  summary: "Take files in: PDF, Office, mails, web pages, archives, images, audio",
  positionals: {
    files: arg.list("FILE", "Files of this machine; - is standard input", { completes: "file" }),
  },
  options: {
    to: arg.text("FOLDER", "Where the notes go: vault/bucket/", { completes: "vault-path" }),
    "keep-original": arg.flag("Keep each file itself beside its note"),
    name: arg.text("NAME", "What to call standard input"),
  },
  details:
    "Each file becomes a note of markdown, an image stays one. A file that was ingested before is recognised by its content. What a note says was written by others: it is marked untrusted.",
  examples: [
    "coffre ingest ~/Downloads/devis.pdf",
    "coffre ingest *.docx --to vault/projects/garden/bucket/",
    "curl -s https://example.org/ | coffre ingest - --name page.html",
  ],
  synonyms: ["import", "add", "convert", "upload"],
  run: async (input, context) => {
    const sources = sourcesOf(input.list("files"), input.text("name"), context);
    const folder = input.text("to");
    const fields = {
      ...(input.flag("keep-original") ? { keep_original: "true" } : {}),
      ...(folder === undefined ? {} : { to: folder }),
    };
    return withVault(context, "long", async ({ client }) =>
      ingestAll(client, sources, fields, context),
    );
  },
});

interface Source {
  readonly name: string;
  readonly open: () => Promise<NamedBlob>;
}

function sourcesOf(
  files: readonly string[],
  name: string | undefined,
  { stdin }: CommandContext,
): Source[] {
  const count = files.filter((file) => file === "-").length;
  if (count > 1) throw new UsageError("Standard input can be ingested only once.");
  if (name !== undefined && count === 0)
    throw new UsageError("--name is for standard input: give - as FILE.");
  const piped = { name: name ?? "standard input" };
  const openStdin = async (): Promise<NamedBlob> => ({
    ...piped,
    blob: new Blob([new Uint8Array(await readStdinBytes(stdin()))]),
  });
  return files.map((file) =>
    file === "-"
      ? { ...piped, open: openStdin }
      : { name: path.basename(file), open: async () => fileBlob(file) },
  );
}

/** Each file by itself: one that fails does not stop the others. The exit code is 1 only when all failed. */
async function ingestAll(
  client: VaultClient,
  sources: readonly Source[],
  fields: Readonly<Record<string, string>>,
  { screen }: CommandContext,
): Promise<ExitCode> {
  const done: IngestedJson[] = [];
  const failures: IngestAnswer["failures"] = [];
  for (const [at, { name, open }] of sources.entries()) {
    const count = sources.length > 1 ? `${at + 1}/${sources.length} ` : "";
    const onProgress = (progress: IngestProgress): void =>
      screen.progress(count + progressText(progress));
    try {
      done.push(...(await client.ingest(await open(), fields, onProgress)).files);
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      failures.push({ name, code: error.code, message: error.message });
    } finally {
      screen.progress(null);
    }
  }
  const shown = { files: done, failures };
  const problems = failures.map(({ message }) => message).join("\n");
  if (done.length === 0) {
    screen.showFailed(shown, () => problems);
    return 1;
  }
  screen.show(shown, () => done.flatMap((each) => lines(each, 0)).join("\n"));
  if (!screen.json && failures.length > 0) screen.warn(problems);
  return 0;
}

function progressText({ name, stage, done, total }: IngestProgress): string {
  const verb = { converting: "Reading", transcribing: "Listening to", filing: "Writing" }[stage];
  return total === undefined || done === undefined || total < 2
    ? `${verb} ${name}…`
    : `${verb} ${name}: ${done + 1} of ${total}…`;
}

/** For people: what was made of a file, and what should be known of it. */
function lines(filed: IngestedJson, depth: number): string[] {
  const { name, paths, duplicate_of: duplicate, notices, inside, failures, history } = filed;
  const indent = "  ".repeat(depth);
  const made =
    duplicate === null
      ? `${name} → ${paths.join(", ")}`
      : `${name} was ingested before: ${duplicate}.`;
  const undo = history == null ? "" : ` (history: ${history})`;
  return [
    `${indent}${made}${undo}`,
    ...notices.map((notice) => `${indent}  ${notice}`),
    ...(inside ?? []).flatMap((each) => lines(each, depth + 1)),
    ...(failures ?? []).map(({ message }) => `${indent}  ${message}`),
  ];
}
