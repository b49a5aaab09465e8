import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { createService, type Service } from "../../compose.ts";
import { startChild } from "../../testing/processes/child.ts";
import { Random } from "../../testing/random.ts";
import { temporaryVault, writeFiles, type Files } from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../../vault/vault.ts";
import { DropFolder } from "./drop-folder.ts";
import { createIngest } from "../ingest.ts";
import { docxFile } from "../testing/office-files.ts";
import { pngFile } from "../testing/png-file.ts";
import { zipFile } from "../testing/zip-file.ts";

const NOW = new Date(2026, 2, 14, 9, 30);
const QUIET = 60;

interface TemporaryDrop {
  readonly vault: LocalVault;
  readonly drop: DropFolder;
  readonly place: (name: string) => string;
  /** Looks, and waits until nothing waits. */
  readonly settle: () => Promise<void>;
  readonly names: (folder: string) => string[];
}

function temporaryDrop(files: Files = {}): TemporaryDrop {
  const vault = temporaryVault(files, () => NOW);
  mkdirSync(path.join(vault.root, "drop"), { recursive: true });
  const drop = new DropFolder({
    vault,
    ingest: createIngest({ vault, now: () => NOW }),
    quiet: QUIET,
    onBug: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => drop.close());
  return {
    vault,
    drop,
    place: (name) => path.join(vault.root, name),
    settle: async () => {
      drop.look();
      await drop.settled();
    },
    names: (folder) =>
      existsSync(path.join(vault.root, folder))
        ? readdirSync(path.join(vault.root, folder)).toSorted()
        : [],
  };
}

describe("a file with a name that no error note can be called after", () => {
  it.each([
    ["254 bytes", `${"a".repeat(250)}.bin`],
    ["255 bytes, two a character", `${"é".repeat(125)}x.bin`],
    ["247 bytes", `${"b".repeat(243)}.bin`],
    ["a line break", "two\nlines.bin"],
  ])("holds up no other, is named, and has a note: %s", async (_, name) => {
    const { drop, settle, names, place } = temporaryDrop({
      [`drop/${name}`]: Buffer.from([1, 2, 0, 3]),
      "drop/zebra.txt": "stripes",
    });
    await settle();
    expect(names("bucket").filter((each) => each.endsWith(".md"))).toEqual(["2026-03-14-zebra.md"]);
    expect([...drop.problems.keys()]).toEqual([`drop/${name.replace("\n", "␊")}`]);
    const notes = names("drop").filter((each) => each.endsWith(".error.md"));
    expect(notes).toHaveLength(1);
    // It is not tried again while its note stands, and the note goes with it.
    await settle();
    expect(names("drop").filter((each) => each.endsWith(".error.md"))).toEqual(notes);
    rmSync(place(`drop/${name}`));
    await settle();
    expect(names("drop")).toEqual([]);
    expect(drop.problems.size).toBe(0);
  });

  it("is ingested all the same when it can be read", async () => {
    const { settle, names } = temporaryDrop({ [`drop/${"a".repeat(250)}.txt`]: "words" });
    await settle();
    expect(names("drop")).toEqual([]);
    expect(names("bucket")).toHaveLength(1);
  });
});

describe("a file in the drop folder", () => {
  it("is ingested, and leaves; both can be undone at once", async () => {
    const { vault, settle, names, place } = temporaryDrop({ "drop/Jardin.docx": docxFile() });
    await settle();
    expect(names("drop")).toEqual([]);
    expect(names("bucket")).toEqual(["2026-03-14-jardin-image-1.png", "2026-03-14-jardin.md"]);
    const [last] = await vault.log({ path: null, limit: 1 });
    expect(last).toMatchObject({ actor: "drop", call: "ingest" });
    await vault.undo(last?.id ?? "", { actor: "test", force: false });
    expect(names("bucket")).toEqual([]);
    expect(readFileSync(place("drop/Jardin.docx"))).toEqual(docxFile());
  });

  it("that is an image moves to the bucket as it is", async () => {
    const { settle, names, place } = temporaryDrop({ "drop/Vue.png": pngFile() });
    await settle();
    expect(names("drop")).toEqual([]);
    expect(readFileSync(place("bucket/2026-03-14-vue.png"))).toEqual(pngFile());
  });

  it("that was ingested before only leaves", async () => {
    const { settle, names, place } = temporaryDrop({ "drop/a.txt": "Bonjour" });
    await settle();
    writeFileSync(place("drop/b.txt"), "Bonjour");
    await settle();
    expect([names("drop"), names("bucket")]).toEqual([[], ["2026-03-14-a.md"]]);
  });

  it("is not taken while it grows, however slowly", async () => {
    const { drop, names, place, settle } = temporaryDrop({ "drop/a.txt": "un\n" });
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    for (let turn = 0; turn < 12; turn += 1) {
      drop.look();
      await vi.advanceTimersByTimeAsync(QUIET / 2);
      appendFileSync(place("drop/a.txt"), `ligne ${turn}\n`);
      expect(names("bucket")).toEqual([]);
    }
    vi.useRealTimers();
    await settle();
    expect(readFileSync(place("bucket/2026-03-14-a.md"), "utf8")).toContain("ligne 11\n");
  });

  it("is left alone while its name says that it is not finished", async () => {
    const { settle, names } = temporaryDrop({
      "drop/a.pdf.crdownload": "half",
      "drop/.b.txt": "hidden",
    });
    await settle();
    expect(names("drop")).toEqual([".b.txt", "a.pdf.crdownload"]);
  });

  it("in a folder is ingested too, and the empty folder goes", async () => {
    const { settle, names } = temporaryDrop({ "drop/x/y/a.txt": "a", "drop/x/b.txt": "b" });
    await settle();
    expect([names("drop"), names("bucket")]).toEqual([[], ["2026-03-14-a.md", "2026-03-14-b.md"]]);
  });

  it("that is large is moved beside its note rather than into the history", async () => {
    const text = "Une ligne du journal de bord.\n".repeat(400_000);
    const { vault, settle, names } = temporaryDrop({ "drop/journal.txt": text });
    await settle();
    expect(names("bucket")).toEqual(["2026-03-14-journal.md", "2026-03-14-journal.txt"]);
    expect((await vault.historySize()).bytes).toBeLessThan(1_000_000);
  });
});

describe("a dropped archive", () => {
  it("goes when all in it is ingested", async () => {
    const { settle, names } = temporaryDrop({
      "drop/a.zip": zipFile({ "un.txt": "1", "deux.txt": "2" }),
    });
    await settle();
    expect([names("drop"), names("bucket")]).toEqual([
      [],
      ["2026-03-14-deux.md", "2026-03-14-un.md"],
    ]);
  });

  it("is kept beside the notes when something in it could not be read", async () => {
    const bytes = zipFile({ "un.txt": "1", "vieux.doc": Buffer.from([1, 2, 3]) });
    const { settle, names, place } = temporaryDrop({ "drop/Tout.zip": bytes });
    await settle();
    expect([names("drop"), names("bucket")]).toEqual([
      [],
      ["2026-03-14-tout.zip", "2026-03-14-un.md"],
    ]);
    expect(readFileSync(place("bucket/2026-03-14-tout.zip"))).toEqual(bytes);
  });
});

describe("a dropped file that cannot be ingested", () => {
  it("stays, with a note beside it that says why, and is tried once", async () => {
    const { vault, settle, names, place } = temporaryDrop({ "drop/a.bin": Buffer.from([1, 2, 3]) });
    await settle();
    expect(names("drop")).toEqual(["a.bin", "a.bin.error.md"]);
    const note = readFileSync(place("drop/a.bin.error.md"), "utf8");
    expect(note).toContain("# a.bin could not be ingested\n\na.bin is of an unknown format");
    const changes = (await vault.log({ path: null, limit: 10 })).length;
    await settle();
    await settle();
    expect(await vault.log({ path: null, limit: 10 })).toHaveLength(changes);
  });

  it("is tried again when it changes, and its note goes with the cause", async () => {
    const { settle, names, place } = temporaryDrop({ "drop/a.txt": Buffer.from([1, 2, 3]) });
    await settle();
    expect(names("drop")).toEqual(["a.txt", "a.txt.error.md"]);
    writeFileSync(place("drop/a.txt"), "Bonjour");
    await settle();
    await settle();
    expect([names("drop"), names("bucket")]).toEqual([[], ["2026-03-14-a.md"]]);
  });

  it("is forgotten when it is removed", async () => {
    const { settle, names, place } = temporaryDrop({ "drop/a.bin": Buffer.from([1, 2, 3]) });
    await settle();
    rmSync(place("drop/a.bin"));
    await settle();
    expect(names("drop")).toEqual([]);
  });
});

describe("the drop folder of a running service", () => {
  it("keeps a note as it came until it is ingested, and does not let a search find it before", async () => {
    const { root, state } = temporaryVault({ "a.md": "x" });
    const found = async (service: Service, query: string): Promise<number> => {
      const request = { mode: "fast", limit: 5, scope: null, from: null, to: null } as const;
      return (await service.index.search({ ...request, queries: [query] })).hits.length;
    };
    const waiting = await createService({ root, state, quiet: 20, dropQuiet: 3_600_000 });
    onTestFinished(async () => waiting.close().catch(() => {}));
    writeFiles(root, { "drop/idée.md": "# Une pergola\n" });
    writeFiles(root, { "b.md": "# Un portail\n" });
    // When the later of the two is found and nothing is pending, the first was seen as well.
    await expect.poll(async () => found(waiting, "portail"), { timeout: 50_000 }).toBe(1);
    await waiting.settled();
    expect(readFileSync(path.join(root, "drop/idée.md"), "utf8")).toBe("# Une pergola\n");
    expect(await found(waiting, "pergola")).toBe(0);
    await waiting.close();
    const taking = await createService({ root, state, quiet: 20, dropQuiet: 20 });
    onTestFinished(async () => taking.close());
    await expect.poll(async () => found(taking, "pergola"), { timeout: 50_000 }).toBe(1);
    expect(readdirSync(path.join(root, "drop"))).toEqual([]);
  });
});

it("names in the status what could not be ingested", async () => {
  const vault = temporaryVault({ [`drop/${"a".repeat(250)}.bin`]: Buffer.from([1, 2, 0, 3]) });
  const service = await createService({ root: vault.root, state: vault.state, dropQuiet: QUIET });
  onTestFinished(async () => service.close());
  await vi.waitFor(async () =>
    expect((await service.status()).alarms).toEqual([
      expect.stringContaining(`vault/drop/${"a".repeat(250)}.bin was not ingested: `),
    ]),
  );
});

describe("a process that is killed while it ingests", () => {
  it("loses no file and takes none twice", async () => {
    const random = new Random(8);
    const { vault, names } = temporaryDrop();
    const count = 12;
    for (let at = 0; at < count; at += 1) {
      writeFiles(vault.root, {
        [`drop/n${at}.txt`]: `Le texte numéro ${at}.`,
        [`drop/p${at}.png`]: pngFile(3, 3, at),
      });
    }
    const script = new URL("../testing/run-drop-folder.ts", import.meta.url);
    for (let kill = 0; kill < 12; kill += 1) {
      const child = startChild(script, [vault.root, vault.state]);
      await child.printed("started");
      await pause(random.below(120));
      await child.kill();
    }
    await startChild(script, [vault.root, vault.state]).finished();
    expect(names("drop").filter((name) => !name.startsWith("."))).toEqual([]);
    const notes = names("bucket").filter((name) => name.endsWith(".md"));
    const numbers = notes.map((name) => {
      const note = readFileSync(path.join(vault.root, "bucket", name), "utf8");
      return Number(/Le texte numéro (\d+)\./u.exec(note)?.[1]);
    });
    const all = Array.from({ length: count }, (_, at) => at);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(all);
    expect(names("bucket").filter((name) => name.endsWith(".png"))).toHaveLength(count);
  });
});
