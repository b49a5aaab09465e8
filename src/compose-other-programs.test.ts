import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { startChild } from "./testing/processes/child.ts";
import { bodyOf, expectRight, found, home, start, until, update } from "./testing/service-home.ts";
import { writeFiles } from "./testing/temporary-vault.ts";

const text = (round: number): string => `# Note\n\nVersion ${round} du texte, tour${round}.\n`;

/** How editors save: each writes `content` in its own way. */
const editors: Readonly<Record<string, (file: string, content: string) => void>> = {
  "VS Code: truncate and write": (file, content) => {
    const fd = openSync(file, "r+");
    ftruncateSync(fd, 0);
    writeSync(fd, content, 0);
    closeSync(fd);
  },
  "Obsidian: write over": (file, content) => writeFileSync(file, content),
  "an atomic rename": (file, content) => {
    writeFileSync(`${file}.tmp`, content);
    renameSync(`${file}.tmp`, file);
  },
  "vim: a backup, then a new file": (file, content) => {
    renameSync(file, `${file}~`);
    writeFileSync(file, content);
    rmSync(`${file}~`);
  },
  "in small pieces": (file, content) => {
    const fd = openSync(file, "w");
    for (const letter of content) writeSync(fd, letter);
    closeSync(fd);
  },
};

describe.each(Object.entries(editors))("a person saving with %s", (_, save) => {
  it("keeps every word, and everything becomes right", async () => {
    const at = home({ "note.md": text(0) });
    const service = await start(at);
    for (let round = 1; round <= 5; round += 1) {
      // The editor has the whole file, frontmatter included, and changes the text.
      const content = at.read("note.md").replaceAll(/(Version |tour)\d+/gu, `$1${round}`);
      save(at.file("note.md"), content);
      await until(service, async () => (await found(service, `tour${round}`)).length === 1);
      expect(bodyOf(at.read("note.md"))).toBe(text(round));
    }
    await expectRight(service, at);
  });
});

describe("other programs", () => {
  it("an editor that saves through a file it opened before the stamping loses nothing", async () => {
    const at = home({ "a.md": "# A\n" });
    const service = await start(at);
    const fd = openSync(at.file("long.md"), "w");
    writeSync(fd, "première ligne\n");
    await until(service, () => at.read("long.md").startsWith("---"));
    // The file was replaced: this goes to one that has no name any more.
    writeSync(fd, "deuxième ligne\n");
    closeSync(fd);
    await until(service, () => at.read("long.md").includes("deuxième"));
    expect(bodyOf(at.read("long.md"))).toBe("première ligne\ndeuxième ligne\n");
    await expectRight(service, at);
  });

  it("a file appended to a thousand times by another process keeps every line, in order", async () => {
    const at = home({ "journal.md": "# Journal\n" });
    const service = await start(at);
    const child = startChild(new URL("./testing/processes/append-often.ts", import.meta.url), [
      at.file("journal.md"),
      "1000",
    ]);
    await child.finished();
    await until(service, () => at.read("journal.md").includes("ligne 999\n"));
    const lines = at
      .read("journal.md")
      .split("\n")
      .filter((line) => line.startsWith("ligne "));
    expect(lines).toEqual(Array.from({ length: 1000 }, (_, round) => `ligne ${round}`));
    await expectRight(service, at);
  });

  it("tools and another process add to one file at once, and no line is lost", async () => {
    const at = home({ "journal.md": "# Journal\n" });
    const service = await start(at);
    const child = startChild(new URL("./testing/processes/append-often.ts", import.meta.url), [
      at.file("journal.md"),
      "300",
    ]);
    const finished = child.finished();
    for (let round = 0; round < 60; round += 1) {
      const args = { path: "vault/journal.md", content: `outil ${round}`, position: "bottom" };
      const result = await update(service, "append", args);
      // An honest refusal is no loss.
      if (result.isError) round -= 1;
    }
    await finished;
    await service.settled();
    await until(service, () => at.read("journal.md").includes("ligne 299\n"));
    const count = (beginning: string): number =>
      new Set(
        at
          .read("journal.md")
          .split("\n")
          .filter((line) => line.startsWith(beginning)),
      ).size;
    expect([count("ligne "), count("outil ")]).toEqual([300, 60]);
    await expectRight(service, at);
  });

  it("a burst of 2,000 writes is processed", async () => {
    const at = home({ "a.md": "# A\n" });
    const service = await start(at);
    for (let round = 0; round < 2000; round += 1) {
      const folder = at.file(`d${round % 40}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, `n${round}.md`), `# N\n\nmot${round}\n`);
    }
    await until(service, async () => (await service.index.stats()).files === 2001);
    expect(await found(service, "mot1234")).toEqual(["d34/n1234.md"]);
    await expectRight(service, at);
  });

  it("a git checkout that swaps 1,000 files is followed", async () => {
    const at = home();
    const git = (...args: string[]): void => {
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        cwd: at.root,
        stdio: "ignore",
      });
    };
    const fill = (word: string): void => {
      for (let round = 0; round < 1000; round += 1)
        writeFiles(at.root, { [`d${round % 20}/n${round}.md`]: `# ${word}\n\n${word} ${round}\n` });
      git("add", "-A");
      git("commit", "-qm", word);
    };
    git("init", "-q");
    fill("avant");
    git("checkout", "-qb", "autre");
    fill("après");
    const service = await start(at);
    git("checkout", "-q", "-f", "-");
    await until(service, async () => (await found(service, "après")).length === 0);
    expect(bodyOf(at.read("d3/n3.md"))).toBe("# avant\n\navant 3\n");
    await expectRight(service, at);
  });

  it("a folder of 500 files that is renamed is found under its new name", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 500 }, (_, round) => [`vieux/n${round}.md`, `# N\n\nmot${round}x\n`]),
    );
    const at = home({ ...files, "a.md": "# A\n" });
    const service = await start(at);
    renameSync(at.file("vieux"), at.file("neuf"));
    await until(service, async () => (await found(service, "mot499x"))[0] === "neuf/n499.md");
    expect(existsSync(at.file("vieux"))).toBe(false);
    await expectRight(service, at);
  });
});
