import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { demoImage } from "../testing/demo-image.ts";
import type { Language } from "../text/language.ts";
import { demoFiles, skeletonFiles, skeletonFolders, type TemplateFile } from "./templates.ts";

const langs: readonly Language[] = ["en", "fr"];
const now = new Date(2026, 2, 3, 0, 5);

interface Text {
  readonly path: string;
  readonly lines: readonly string[];
  readonly text: string;
}

function texts(files: readonly TemplateFile[]): Text[] {
  return files.flatMap(({ path, content }) =>
    typeof content === "string" ? [{ path, text: content, lines: content.split("\n") }] : [],
  );
}

function named(files: readonly TemplateFile[], name: string): Text[] {
  return texts(files).filter(({ path }) => path.split("/").at(-1) === name);
}

function projectsOf(files: readonly TemplateFile[]): string[] {
  const names = files.flatMap(({ path }) => /^projects\/([^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

function tokensOf(files: readonly TemplateFile[]): number {
  return texts(files).reduce((sum, { text }) => sum + Math.ceil(text.length / 4), 0);
}

/** The headings, task lines and table rows of each file, without its words and its name. */
function shapeOf(lang: Language): string[] {
  const shapes = demoFiles(lang, now).map(({ path, content }) => {
    const marks = typeof content === "string" ? content.match(/^(#+ |\| |status:)/gm) : [];
    return `${path.split("/").length} ${(marks ?? []).join("")}`;
  });
  return shapes.toSorted();
}

describe.each(langs)("the templates in %s", (lang) => {
  const skeleton = skeletonFiles(lang);
  const demo = demoFiles(lang, now);
  const all = texts([...skeleton, ...demo]);

  it("end every text with exactly one newline", () => {
    expect(all.filter(({ text }) => !/\S\n$/.test(text))).toEqual([]);
  });

  it("leave the frontmatter to the program", () => {
    expect(all.filter(({ text }) => /^(---|\s)/.test(text))).toEqual([]);
  });

  it("hold no stray spaces, carriage returns or holes", () => {
    expect(all.filter(({ text }) => /[ \t]\n|\r|undefined|NaN|\$\{/.test(text))).toEqual([]);
  });

  it.each([
    ["skeleton", skeleton],
    ["demo", demo],
  ])("name no path twice in the %s, no hidden file, nothing outside the vault", (_, files) => {
    const paths = files.map(({ path }) => path);
    const plain = /^[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*)*$/;
    expect(paths.filter((path) => !plain.test(path))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it("never write tree.md, which is generated", () => {
    expect(named([...skeleton, ...demo], "tree.md")).toEqual([]);
  });
});

describe.each(langs)("the skeleton in %s", (lang) => {
  it("holds the four root files", () => {
    expect(skeletonFiles(lang).map(({ path }) => path)).toEqual([
      "changelog.md",
      "overview.md",
      "profile.md",
      "tasks.md",
    ]);
  });

  it.each(["tasks.md", "changelog.md"])("shows the format of %s without a false entry", (name) => {
    const [page] = named(skeletonFiles(lang), name);
    expect(page?.lines.filter((line) => /^(#|status:)/.test(line))).toEqual([]);
  });
});

it("creates the three folders of a new vault", () => {
  expect(skeletonFolders).toEqual(["inbox", "bucket", "projects"]);
});

describe.each(langs)("the demo in %s", (lang) => {
  const demo = demoFiles(lang, now);
  const paths = demo.map(({ path }) => path);

  it("has two projects, each with its four pages and a bucket", () => {
    const projects = projectsOf(demo);
    expect(projects).toHaveLength(2);
    for (const project of projects) {
      const own = paths.filter((path) => path.startsWith(`projects/${project}/`));
      const pages = ["description", "state", "tasks", "changelog"];
      expect(own).toEqual(
        expect.arrayContaining(pages.map((page) => `projects/${project}/${page}.md`)),
      );
      expect(own.filter((path) => path.includes("/bucket/")).length).toBeGreaterThan(1);
    }
  });

  it("takes the place of every skeleton file", () => {
    expect(paths).toEqual(expect.arrayContaining(skeletonFiles(lang).map(({ path }) => path)));
  });

  it("keeps three changelogs by day, newest first, none in the future", () => {
    const changelogs = named(demo, "changelog.md");
    expect(changelogs).toHaveLength(3);
    for (const { lines } of changelogs) {
      const days = lines.filter((line) => line.startsWith("# "));
      expect(days.filter((line) => !/^# \d{4}-\d\d-\d\d$/.test(line))).toEqual([]);
      expect(days).toEqual(days.toSorted().toReversed());
      expect(days.filter((line) => line > "# 2026-03-03")).toEqual([]);
    }
  });

  it("opens every day of a changelog with an entry, and every changelog with a day", () => {
    for (const { lines } of named(demo, "changelog.md")) {
      const levels = lines.filter((line) => line.startsWith("#")).map((line) => line.indexOf(" "));
      expect(lines[0]).toMatch(/^# /);
      expect(levels.join("")).toMatch(/^(12+)+$/);
    }
  });

  it("marks decisions in its own language", () => {
    const mark = lang === "fr" ? "## [décision] " : "## [decision] ";
    const unmarked = named(demo, "changelog.md").filter(({ text }) => !text.includes(mark));
    expect(unmarked).toEqual([]);
  });

  it("gives every task a status line that names its project", () => {
    const [added, project] = lang === "fr" ? ["ajoutée", "projet"] : ["added", "project"];
    const lists = named(demo, "tasks.md");
    expect(lists).toHaveLength(3);
    for (const { path, lines } of lists) {
      const name = /^projects\/([^/]+)\//.exec(path)?.[1] ?? "—";
      const status = new RegExp(
        String.raw`^status: \S+ \| prio: \S+ \| ${added}: \d{4}-\d\d-\d\d \| ${project}: ${name}$`,
      );
      const below = lines.filter((_, index) => lines[index - 1]?.startsWith("# "));
      expect(below.length).toBeGreaterThan(2);
      expect(below.filter((line) => !status.test(line))).toEqual([]);
    }
  });

  it("links only to pages that it has", () => {
    const whole = texts(demo)
      .map(({ text }) => text)
      .join("");
    const targets = Array.from(whole.matchAll(/\[\[([^\]]+)\]\]/g), ([, name]) => `${name}.md`);
    expect(targets.length).toBeGreaterThan(3);
    expect(targets.filter((target) => !paths.includes(target))).toEqual([]);
  });

  it("has one inbox item of yesterday, with a review that asks one question", () => {
    const inbox = texts(demo).filter(({ path }) => path.startsWith("inbox/"));
    expect(inbox.map(({ path }) => path.replace(/^inbox\/2026-03-02-[a-z-]+\//, ""))).toEqual([
      "original.md",
      "review.md",
    ]);
    expect(inbox[1]?.text.match(/\?/g)).toHaveLength(1);
  });

  it("mentions its image in a note", () => {
    const images = paths.filter((path) => path.endsWith(".png"));
    expect(images).toHaveLength(1);
    const name = images[0]?.split("/").at(-1) ?? "";
    expect(texts(demo).filter(({ text }) => text.includes(`\`${name}\``))).toHaveLength(1);
  });

  it("stays small enough to read in one sitting", () => {
    expect(tokensOf(demo)).toBeGreaterThan(6000);
    expect(tokensOf(demo)).toBeLessThan(9000);
  });

  it("moves with the calendar", () => {
    const later = demoFiles(lang, new Date(2027, 0, 1, 23, 59));
    expect(later.filter(({ path }) => path.startsWith("inbox/2026-12-31-"))).toHaveLength(2);
    expect(texts(later).filter(({ text }) => text.includes("2026-03-0"))).toEqual([]);
  });
});

it("tells the same story in both languages", () => {
  expect(shapeOf("fr")).toEqual(shapeOf("en"));
});

describe("the demo image", () => {
  const image = Buffer.from(demoImage());

  it("is a PNG of 640 by 400", () => {
    expect(image.subarray(0, 8).toString("latin1")).toBe("\u0089PNG\r\n\u001a\n");
    expect(image.subarray(12, 16).toString("latin1")).toBe("IHDR");
    expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([640, 400]);
    expect(image.length).toBeLessThan(50_000);
  });

  it("holds as many pixels as it announces", () => {
    const length = image.readUInt32BE(33);
    expect(image.subarray(37, 41).toString("latin1")).toBe("IDAT");
    expect(inflateSync(image.subarray(41, 41 + length))).toHaveLength((640 * 3 + 1) * 400);
  });
});
