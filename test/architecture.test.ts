import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "..");

/** Which rooms a room may import from; its own is always allowed. */
const LOW = ["text", "storage", "errors.ts"];
const ROOMS = [...LOW, "vault", "index", "evidence", "tools", "jobs", "ingest", "tidy", "agents"];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "errors.ts": [],
  texts: [],
  text: ["errors.ts"],
  storage: ["text", "errors.ts"],
  vault: LOW,
  index: [...LOW, "vault"],
  evidence: [...LOW, "vault", "index"],
  tools: [...LOW, "vault", "index"],
  jobs: [...LOW, "vault", "index"],
  ingest: [...LOW, "vault"],
  tidy: [...LOW, "vault", "index", "evidence"],
  agents: [...LOW, "vault", "evidence", "tools", "ingest", "tidy", "texts"],
  backup: [...LOW, "vault"],
  forget: [...LOW, "vault", "index", "agents", "tidy"],
  server: [
    ...ROOMS,
    "backup",
    "forget",
    "compose.ts",
    "config.ts",
    "frontmatter.ts",
    "private-folders.ts",
    "service-status.ts",
    "team",
  ],
  cli: [
    ...ROOMS,
    "team",
    "texts",
    "backup",
    "server",
    "compose.ts",
    "compose-team.ts",
    "looking-service.ts",
    "config.ts",
    "settings.ts",
    "service-status.ts",
  ],
  "compose.ts": [
    ...ROOMS,
    "forget",
    "config.ts",
    "service.ts",
    "service-status.ts",
    "frontmatter.ts",
    "open-memory.ts",
    "private-folders.ts",
    "reader-view.ts",
    "settings-file.ts",
  ],
  "compose-team.ts": ROOMS,
  team: [
    ...ROOMS,
    "compose-team.ts",
    "private-folders.ts",
    "reader-view.ts",
    "service-status.ts",
    "settings-file.ts",
    "tidy-setting.ts",
  ],
  "service.ts": [
    ...ROOMS,
    "forget",
    "service-status.ts",
    "frontmatter.ts",
    "private-folders.ts",
    "reader-view.ts",
  ],
  "open-memory.ts": [
    ...ROOMS,
    "service.ts",
    "reader-view.ts",
    "settings-file.ts",
    "tidy-setting.ts",
  ],
  "tidy-setting.ts": ["settings-file.ts"],
  "private-folders.ts": [...LOW, "vault", "settings-file.ts"],
  "reader-view.ts": [...LOW, "vault", "index", "jobs"],
  "frontmatter.ts": [...LOW, "vault", "jobs", "frontmatter-setting.ts", "service-status.ts"],
  "looking-service.ts": [
    ...ROOMS,
    "settings.ts",
    "service-status.ts",
    "frontmatter-setting.ts",
    "private-folders.ts",
    "reader-view.ts",
    "settings-file.ts",
  ],
  "settings-file.ts": LOW,
  "frontmatter-setting.ts": [...LOW, "vault", "settings-file.ts"],
  "service-status.ts": [],
  "config.ts": [...LOW, "vault", "ingest"],
  "settings.ts": [...LOW, "index", "ingest", "agents", "config.ts", "settings-file.ts"],
  "index.ts": [...LOW, "vault", "index", "tools", "compose.ts"],
};

/**
 * Which folders of its own room a folder may import from; `.` stands for the files directly in the room. Rooms without sub-folders are not
 * listed.
 */
const INNER: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  storage: { ".": [], postgres: ["."] },
  vault: {
    ".": ["files", "write", "history", "tree"],
    overlay: [".", "files", "history", "tree", "write"],
    visible: [".", "files", "history", "tree", "write"],
    files: [".", "write"],
    write: [".", "files", "history"],
    history: [".", "files", "write"],
    tree: [".", "files", "write"],
    postgres: [".", "files", "history", "overlay", "tree", "write"],
  },
  index: {
    ".": ["lexical", "deep", "postgres"],
    lexical: ["."],
    postgres: [".", "lexical"],
    deep: [".", "lexical", "deep/vectors"],
    "deep/vectors": ["."],
    relink: ["."],
  },
  team: {
    ".": ["audit", "people", "rights"],
    rights: [],
    people: ["audit", "rights"],
    identity: ["people", "rights"],
    audit: [],
  },
  tools: { ".": ["replacing"], replacing: ["."] },
  tidy: { ".": ["finders"], finders: ["."] },
  texts: { ".": [], page: [] },
  jobs: {
    ".": ["bulk", "stamping", "watch"],
    bulk: [".", "stamping"],
    stamping: ["."],
    watch: ["."],
    owner: [],
  },
  ingest: {
    ".": ["convert", "filing", "transcribe"],
    convert: [".", "formats"],
    formats: [".", "convert", "formats/docx", "formats/exports", "formats/pdf", "speech"],
    "formats/docx": ["convert", "formats"],
    "formats/pdf": ["convert"],
    "formats/exports": ["convert", "formats"],
    filing: [".", "convert", "formats", "speech", "transcribe"],
    speech: ["convert"],
    transcribe: [".", "convert", "speech"],
    intake: [".", "convert", "filing"],
  },
  agents: {
    ".": [
      "inbox",
      "model",
      "preview",
      "queue",
      "recall",
      "spending",
      "tidy",
      "update",
      "without-model",
    ],
    preview: [".", "queue", "update"],
    tidy: [".", "inbox", "model", "update", "without-model"],
    model: ["."],
    spending: [".", "model"],
    queue: ["."],
    inbox: ["."],
    recall: [".", "inbox", "model", "without-model"],
    update: [".", "inbox", "model", "without-model"],
    "without-model": [".", "inbox"],
    "client-model": [".", "inbox", "queue", "update", "without-model"],
  },
  server: {
    http: [],
    auth: ["http"],
    api: ["http"],
    client: ["api", "http"],
    mcp: ["api", "client", "http"],
    page: ["api", "auth", "http"],
    team: ["api", "auth", "http", "mcp", "page", "team/people"],
    "team/people": ["api", "auth", "http", "mcp", "page", "team"],
  },
  cli: {
    ".": ["commands", "output", "system", "table", "vault"],
    system: [],
    output: ["system"],
    table: ["output"],
    vault: ["output", "system", "table"],
    completion: ["system", "table"],
    connect: ["system", "table"],
    commands: [
      "commands/keep",
      "commands/tools",
      "completion",
      "connect",
      "output",
      "system",
      "table",
      "vault",
    ],
    "commands/keep": ["output", "system", "table", "vault"],
    "commands/tools": ["output", "system", "table", "vault"],
  },
};

const MAX_LINES = 400;
const MAX_FILES = 25;

/** Beside the vault: who keeps something in the state folder, listens to the system, or talks to people. */
const TOUCHES_FILES =
  /^(?:storage|vault|backup|forget|tidy\/kept-proposals|agents\/(?:queue\/erase-tasks|model\/model-packages)|cli|settings|ingest|index\/deep\/(?:download|model-files|qmd)|jobs\/(?:heartbeat|owner\/owner-file|owner\/owner-lock|owner\/owner-request|owner\/registered-owner|owner\/vault-registry|watch\/watch-disk)|server\/(?:auth\/access-token|http\/endpoint|http\/log|page\/page-files))\b/u;

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

/** The sources of the service and of the page, without tests. */
function writtenFiles(): string[] {
  const page = pageFiles().filter((file) => !/\.test\.tsx?$/u.test(file));
  return [...sourceFiles().map((file) => `src/${file}`), ...page.map((file) => `web/${file}`)];
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

it.each(sourceFiles().filter((file) => roomOf(file) !== "index"))(
  "%s reaches a search engine only through src/index/create-index.ts",
  (file) => {
    expect(importsOf(file).filter((name) => /\bindex\/(?:lexical|postgres)\//u.test(name))).toEqual(
      [],
    );
  },
);

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
  const long = writtenFiles().filter((file) => {
    const source = readFileSync(path.join(ROOT, file), "utf8");
    return source.split("\n").length - 1 > MAX_LINES;
  });
  expect(long).toEqual([]);
});

it(`no folder has more than ${MAX_FILES} source files`, () => {
  const folders = Map.groupBy(writtenFiles(), (file) => path.posix.dirname(file));
  const full = [...folders].filter(([, files]) => files.length > MAX_FILES);
  expect(full.map(([folder]) => folder)).toEqual([]);
});

it.each(sourceFiles().filter((file) => file !== "config.ts"))(
  "%s reads no environment variable",
  (file) => {
    expect(readFileSync(path.join(ROOT, "src", file), "utf8")).not.toMatch(/process\.env\b/u);
  },
);

/** Small modules that import nothing, so the page may run them too. */
const PURE = /\/src\/(?:text\/(?:job-keys|local-time)|texts\/.+)\.ts$/u;

const CONTRACT = /\/src\/server\/(?:api\/(?:agent-)?|team\/people\/)contract\.ts$/u;

it.each(["text/job-keys.ts", "text/local-time.ts"])("%s imports nothing", (file) => {
  expect(importsOf(file)).toEqual([]);
});

it.each(pageFiles())(
  "web/%s imports from the service nothing but the types of its contract, and pure functions of src/text and src/texts",
  (file) => {
    const source = readFileSync(path.join(ROOT, "web", file), "utf8");
    const imports = source.matchAll(/^import (type )?[^;]*?from "([^"]+)";/gmu);
    for (const [statement, isType, target = ""] of imports) {
      if (!target.includes("/src/") || PURE.test(target)) continue;
      expect(target, statement).toMatch(CONTRACT);
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

it("only src/storage connects to PostgreSQL", () => {
  const connecting = sourceFiles().filter((file) => importsOf(file).includes("pg"));
  expect(connecting).toEqual(["storage/postgres/load-pg.ts"]);
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
  expect(source("agents/model/configured-model.ts")).toContain('await import("./model.ts")');
  expect(source("agents/model/providers.ts")).not.toMatch(/^import \{[^}]*\} from "@/mu);
});
