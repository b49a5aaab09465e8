import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { codeOf } from "../testing/expected-error.ts";
import {
  compareNames,
  extensionOf,
  isMarkdown,
  isStructural,
  isUnder,
  joinPath,
  nameKey,
  nameOf,
  parentOf,
  parsePath,
  showPath,
} from "./paths.ts";

const NFC = "caf\u00e9";
const NFD = "cafe\u0301";

describe("parsePath", () => {
  it.each(["", "/", "vault", "vault/", "vault//", "vault/.", "vault/./", ".", "./", "a/.."])(
    "takes %j for the root",
    (input) => {
      expect(parsePath(input)).toEqual({ path: "", mustBeFolder: true });
    },
  );

  it.each([
    ["journal/mars.md", "journal/mars.md"],
    ["vault/journal/mars.md", "journal/mars.md"],
    ["./journal/mars.md", "journal/mars.md"],
    ["journal//mars.md", "journal/mars.md"],
    ["journal/./mars.md", "journal/mars.md"],
    ["journal/../mars.md", "mars.md"],
    ["vault/journal/2026/../mars.md", "journal/mars.md"],
    ["vault/vault/mars.md", "vault/mars.md"],
    ["vaulted/mars.md", "vaulted/mars.md"],
    ["Vault/mars.md", "Vault/mars.md"],
  ])("reads %j as %j", (input, path) => {
    expect(parsePath(input)).toEqual({ path, mustBeFolder: false });
  });

  it.each(["journal/", "vault/journal/", "journal/.", "journal/2026/..", "journal/x/../"])(
    "takes %j for a folder",
    (input) => {
      expect(parsePath(input)).toEqual({ path: "journal", mustBeFolder: true });
    },
  );

  it.each([
    "..",
    "../",
    "vault/..",
    "vault/../vault/a.md",
    "a/../..",
    "a/../../vault/a.md",
    "a/b/../../../c.md",
    "/etc/passwd",
    "/vault/a.md",
    "//",
    "//vault",
    "C:\\notes\\a.md",
    "c:/notes/a.md",
    "\\\\server\\share\\a.md",
    "a\0.md",
    "\0",
  ])("refuses %j: it is not inside the vault", async (input) => {
    expect(await codeOf(() => parsePath(input))).toBe("outside_vault");
  });

  it.each([
    ".git",
    ".git/config",
    "vault/.obsidian/app.json",
    "notes/.hidden.md",
    "notes/.trash/a.md",
    "...",
    "notes/.../a.md",
    `.${NFD}`,
    ".\u0301.md",
  ])("refuses %j: dotfiles are not part of the vault", async (input) => {
    expect(await codeOf(() => parsePath(input))).toBe("outside_vault");
  });

  it("allows a dot anywhere but at the start of a name", () => {
    expect(parsePath("a.b/c..d/e.").path).toBe("a.b/c..d/e.");
  });

  it("gives one path for both Unicode forms of a name, wherever it stands", () => {
    expect(parsePath(`${NFD}/${NFD}.md`).path).toBe(`${NFC}/${NFC}.md`);
    expect(parsePath(`${NFC}/${NFC}.md`).path).toBe(`${NFC}/${NFC}.md`);
  });

  it("shows control characters of a name as their pictures", () => {
    expect(parsePath("deux\nlignes.md").path).toBe("deux\u240alignes.md");
    expect(parsePath("a\u007fb\u2028c\u2029d\u0001").path).toBe("a\u2421b\u2424c\u2424d\u2401");
  });

  it("leaves percent signs, backslashes, quotes, backticks and emoji as they are", () => {
    const name = "50%2e%2e\\x \"a\" 'b' `c` 👩‍🚀.md";
    expect(parsePath(name).path).toBe(name);
  });

  it("names the offending value and what to give instead", () => {
    expect(() => parsePath("../secret.md")).toThrow(/"\.\.\/secret\.md".*vault\/projects/u);
  });

  it("reads its own shown form back, for any text it accepts", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("..", ".", "vault", "")),
        ),
        (parts) => {
          let path: string;
          try {
            ({ path } = parsePath(parts.join("/")));
          } catch {
            return;
          }
          expect(parsePath(showPath(path))).toMatchObject({ path });
          expect(parsePath(showPath(path, "folder"))).toEqual({ path, mustBeFolder: true });
          expect(path.split("/").every((name) => nameKey(name) === name)).toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
  });
});

it.each(["task\uD800", "\uDFFF/a.md", "vault/a\uDC00b.md"])(
  "a name with half of a character is refused: it would be another one on the disk",
  async (input) => {
    expect(await codeOf(() => parsePath(input))).toBe("invalid_argument");
  },
);

describe("paths in parts", () => {
  it("joins what it takes apart", () => {
    for (const path of ["a", "a/b", "a/b/c.md"]) {
      expect(joinPath(parentOf(path), nameOf(path))).toBe(path);
    }
    expect(parentOf("a")).toBe("");
  });

  it("knows what lies under a folder, and that a longer name does not", () => {
    expect(isUnder("a/b", "a")).toBe(true);
    expect(isUnder("a", "a")).toBe(true);
    expect(isUnder("ab", "a")).toBe(false);
    expect(isUnder("anything", "")).toBe(true);
    expect(isUnder("a", "a/b")).toBe(false);
  });

  it("takes the extension in lower case, and none from a dot name or a bare one", () => {
    expect(
      ["Photo.PNG", "a.tar.gz", "README", "x/.env", "dossier.d/fichier"].map(extensionOf),
    ).toEqual([".png", ".gz", "", "", ""]);
    expect(["a.MD", "b.Markdown", "c.mdx", "md"].map(isMarkdown)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("protects the root and its five files, not files of the same name elsewhere", () => {
    expect(["", "overview.md", "changelog.md"].every(isStructural)).toBe(true);
    expect(["projects/a/changelog.md", "Overview.md", "notes"].some(isStructural)).toBe(false);
  });
});

describe("compareNames", () => {
  it("orders names as their UTF-8 bytes are ordered, for any names", () => {
    const name = fc.string({ unit: "binary", maxLength: 6 });
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(Math.sign(compareNames(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 20_000 },
    );
  });

  it("puts an emoji after a private-use character, unlike JavaScript", () => {
    const names = ["\u{1f600}", "\uffee"];
    expect(names.toSorted(compareNames)).toEqual(["\uffee", "\u{1f600}"]);
    expect(names.toSorted()).toEqual(["\u{1f600}", "\uffee"]);
  });
});
