import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "..");

/** Which rooms a room may import from; its own is always allowed. */
const LOW = ["text", "storage", "errors.ts"];
const ROOMS = [...LOW, "vault", "index", "tools", "jobs", "ingest", "agents"];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "errors.ts": [],
  text: ["errors.ts"],
  storage: ["text", "errors.ts"],
  vault: LOW,
  index: [...LOW, "vault"],
  tools: [...LOW, "vault", "index"],
  jobs: [...LOW, "vault", "index"],
  ingest: [...LOW, "vault"],
  agents: [...LOW, "vault", "tools", "ingest"],
  server: [...ROOMS, "compose.ts", "config.ts", "service-status.ts"],
  cli: [
    ...ROOMS,
    "server",
    "compose.ts",
    "looking-service.ts",
    "config.ts",
    "settings.ts",
    "service-status.ts",
  ],
  "compose.ts": [...ROOMS, "config.ts", "service-status.ts"],
  "looking-service.ts": [...ROOMS, "settings.ts", "service-status.ts"],
  "service-status.ts": [],
  "config.ts": [...LOW, "vault", "ingest"],
  "settings.ts": [...LOW, "index", "ingest", "agents", "config.ts"],
  "index.ts": [...LOW, "vault", "index", "tools", "compose.ts"],
};

/**
 * Which folders of its own room a folder may import from; `.` stands for the files directly in the room. Rooms without sub-folders are not
 * listed.
 */
const INNER: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  vault: {
    ".": ["files", "write", "history", "tree"],
    files: [".", "write"],
    write: [".", "files", "history"],
    history: [".", "files", "write"],
    tree: [".", "files", "write"],
  },
  index: {
    ".": ["lexical", "deep"],
    lexical: ["."],
    deep: [".", "lexical", "deep/vectors"],
    "deep/vectors": ["."],
  },
  jobs: { ".": ["watch"], watch: ["."], owner: [] },
  ingest: {
    ".": ["convert", "filing", "transcribe"],
    convert: [".", "formats"],
    formats: [".", "convert"],
    filing: [".", "convert", "formats", "transcribe"],
    transcribe: ["convert"],
    intake: [".", "convert", "filing"],
  },
  agents: {
    ".": ["inbox", "model", "queue", "recall", "update", "without-model"],
    model: ["."],
    queue: ["."],
    inbox: [".", "update", "without-model"],
    recall: [".", "model", "without-model"],
    update: [".", "inbox", "model", "without-model"],
    "without-model": [".", "inbox", "recall"],
  },
  server: {
    http: [],
    auth: ["http"],
    api: ["http"],
    client: ["api", "http"],
    mcp: ["api", "client", "http"],
    page: ["api", "auth", "http"],
  },
  cli: {
    ".": ["commands", "output", "system", "table"],
    system: [],
    output: [],
    table: ["output"],
    vault: ["output", "system", "table"],
    completion: ["system", "table"],
    connect: ["system", "table"],
    commands: ["commands/tools", "completion", "connect", "output", "system", "table", "vault"],
    "commands/tools": ["output", "system", "table", "vault"],
  },
};

const MAX_LINES = 400;
const MAX_FILES = 25;

/** Beside the vault: who keeps something in the state folder, listens to the system, or talks to people. */
const TOUCHES_FILES =
  /^(?:storage|vault|cli|settings|ingest|index\/deep\/(?:download|model-files|qmd)|jobs\/(?:heartbeat|owner\/owner-file|owner\/owner-lock|owner\/owner-request|watch\/watch-disk)|server\/(?:auth\/access-token|http\/endpoint|http\/log|page\/page-files))\b/u;

function sourceFiles(): string[] {
  return readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter(
      (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("testing/"),
    );
}

function pageFiles(): string[] {
  return readdirSync(path.join(ROOT, "web"), { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => /\.tsx?$/u.test(file));
}

function importsOf(file: string): string[] {
  const source = readFileSync(path.join(ROOT, "src", file), "utf8");
  const found = source.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/gu);
  return [...found].map(([, target]) => target ?? "");
}

function roomOf(file: string): string {
  return file.split("/")[0] ?? "";
}

it("finds the sources and their imports", () => {
  expect(sourceFiles()).toContain("tools/read.ts");
  expect(importsOf("tools/read.ts")).toContain("../vault/paths.ts");
});

it.each(sourceFiles())("%s imports only from the rooms it may", (file) => {
  const room = roomOf(file);
  const allowed = MAY_IMPORT[room];
  expect(allowed, `the room ${room} is not in the table`).toBeDefined();
  for (const target of importsOf(file).filter((name) => name.startsWith("."))) {
    const imported = roomOf(path.posix.join(path.posix.dirname(file), target));
    if (imported !== room) expect(allowed, `${file} imports ${target}`).toContain(imported);
  }
});

/** Within its room. */
function folderOf(file: string): string {
  return file.split("/").slice(1, -1).join("/") || ".";
}

it.each(sourceFiles().filter((file) => roomOf(file) in INNER))(
  "%s imports only from the folders of its room that it may",
  (file) => {
    const folder = folderOf(file);
    const allowed = INNER[roomOf(file)]?.[folder];
    expect(allowed, `the folder ${path.posix.dirname(file)} is not in the table`).toBeDefined();
    for (const target of importsOf(file).filter((name) => name.startsWith("."))) {
      const imported = path.posix.join(path.posix.dirname(file), target);
      if (roomOf(imported) !== roomOf(file) || folderOf(imported) === folder) continue;
      expect(allowed, `${file} imports ${target}`).toContain(folderOf(imported));
    }
  },
);

it("lists the folders of every room that has some, and no others", () => {
  const inner = sourceFiles().filter((file) => file.split("/").length > 2);
  const listed = Object.entries(INNER).flatMap(([room, folders]) =>
    Object.keys(folders).map((folder) => `${room}/${folder}`),
  );
  const found = new Set(inner.map((file) => path.posix.dirname(file)));
  const written = listed.filter((folder) => !folder.endsWith("/."));
  expect([...found].toSorted()).toEqual(written.toSorted());
});

it(`no source file has more than ${MAX_LINES} lines`, () => {
  const long = sourceFiles().filter((file) => {
    const source = readFileSync(path.join(ROOT, "src", file), "utf8");
    return source.split("\n").length - 1 > MAX_LINES;
  });
  expect(long).toEqual([]);
});

it(`no folder has more than ${MAX_FILES} source files`, () => {
  const folders = Map.groupBy(sourceFiles(), (file) => path.posix.dirname(file));
  const full = [...folders].filter(([, files]) => files.length > MAX_FILES);
  expect(full.map(([folder]) => folder)).toEqual([]);
});

it.each(sourceFiles().filter((file) => file !== "config.ts"))(
  "%s reads no environment variable",
  (file) => {
    expect(readFileSync(path.join(ROOT, "src", file), "utf8")).not.toMatch(/process\.env\b/u);
  },
);

it.each(pageFiles())(
  "web/%s imports from the service nothing but the types of its contract",
  (file) => {
    const source = readFileSync(path.join(ROOT, "web", file), "utf8");
    const imports = source.matchAll(/^import (type )?[^;]*?from "([^"]+)";/gmu);
    for (const [statement, isType, target = ""] of imports) {
      if (!target.includes("/src/")) continue;
      expect(target, statement).toMatch(/\/src\/server\/api\/(?:agent-)?contract\.ts$/u);
      expect(isType, `${statement} is not of types only`).toBeDefined();
    }
  },
);

it.each(sourceFiles().filter((file) => !TOUCHES_FILES.test(file)))(
  "%s does not touch files itself: that is the vault's",
  (file) => {
    const imports = importsOf(file).filter((name) => name.startsWith("node:fs"));
    expect(imports).toEqual([]);
  },
);

it("only src/storage opens databases", () => {
  const opening = sourceFiles().filter((file) =>
    /\bnew DatabaseSync\b/u.test(readFileSync(path.join(ROOT, "src", file), "utf8")),
  );
  expect(opening).toEqual(["storage/sqlite.ts"]);
});

it("only the agents' model access speaks to models through the AI SDK", () => {
  const speaking = sourceFiles().filter((file) =>
    importsOf(file).some((name) => name === "ai" || /^@(?:ai-sdk|openrouter)\//u.test(name)),
  );
  expect(speaking.toSorted()).toEqual([
    "agents/model/model.ts",
    "agents/model/providers.ts",
    "agents/model/retry.ts",
  ]);
});

it("a start without a model loads nothing of the AI SDK", () => {
  const source = (file: string): string => readFileSync(path.join(ROOT, "src", file), "utf8");
  const loading = sourceFiles().filter((file) => /from "[^"]*\/model\.ts"/u.test(source(file)));
  expect(loading).toEqual([]);
  expect(source("agents/model/providers.ts")).toContain('await import("./model.ts")');
  expect(source("agents/model/providers.ts")).not.toMatch(/^import \{[^}]*\} from "@/mu);
});
