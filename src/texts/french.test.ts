import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { allCommands } from "../cli/commands/all-commands.ts";
import { clientCalled, clientNames } from "../cli/connect/clients.ts";
import { globalOptions } from "../cli/table/command.ts";
import { coffre, temporaryPlace, type Ran, type TemporaryPlace } from "../cli/testing/cli.ts";
import { STATUS_OF } from "../errors.ts";
import { adoptFrench } from "./adopt-french.ts";
import { codesFrench } from "./errors-french.ts";
import { french, frenchSentences } from "./french.ts";
import { english as pageEnglish } from "./page/english.ts";
import { french as pageFrench } from "./page/french.ts";

const environment = { LANG: "fr_FR.UTF-8" };

function keysOf(value: object, prefix = ""): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "object" && inner !== null
      ? keysOf(inner, `${prefix}${key}.`)
      : [prefix + key],
  );
}

it("the page has the same texts in both languages", () => {
  expect(keysOf(pageFrench)).toEqual(keysOf(pageEnglish));
});

it("every error code has a French sentence", () => {
  expect(Object.keys(codesFrench).toSorted()).toEqual(
    [...Object.keys(STATUS_OF), "usage"].toSorted(),
  );
});

/** All that the help of a command says, without examples. */
const helpTexts = [
  ...Object.values(globalOptions).map(({ summary }) => summary),
  ...(await allCommands())
    .filter(({ hidden }) => hidden !== true)
    .flatMap(({ group, summary, details, positionals, options }) => [
      `${group}:`,
      summary,
      ...(details === undefined ? [] : [details]),
      ...Object.values(positionals).map((spec) => spec.summary),
      ...Object.values(options).map((spec) => spec.summary),
    ]),
];

it("no command's help is left in English", () => {
  expect(helpTexts.filter((text) => french.text(text) === text)).toEqual([]);
});

/** The sources without what lies between two parts of a text: quotes, line breaks, joints. */
const sources = readdirSync(path.join(import.meta.dirname, ".."), {
  recursive: true,
  encoding: "utf8",
})
  .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|^texts/u.test(file))
  .map((file) => readFileSync(path.join(import.meta.dirname, "..", file), "utf8"))
  .join("\n")
  .replaceAll('\\"', '"')
  .toLowerCase();

it("the catalogue has no sentence that nothing says any more", () => {
  // The texts of coffre adopt come with the command.
  const isAwaited = (text: string): boolean =>
    !sources.includes('name: "adopt"') && Object.hasOwn(adoptFrench, text);
  const stale = Object.keys(frenchSentences).filter((text) => {
    if (isAwaited(text)) return false;
    const words = text.split(/\{\d\}|[.:;,?!()"`]| [a-z]+ |--\w+/u).map((part) => part.trim());
    const longest = words.toSorted((one, other) => other.length - one.length)[0] ?? "";
    return !sources.includes(longest.toLowerCase());
  });
  expect(stale).toEqual([]);
});

it("the catalogue keeps every value of a sentence", () => {
  const holes = (each: string): string[] => (each.match(/\{\d\}/gu) ?? []).toSorted();
  const lost = Object.entries(frenchSentences).filter(
    ([text, said]) => holes(said).join("") !== holes(text).join(""),
  );
  expect(lost).toEqual([]);
});

it("one is not said in the plural", () => {
  expect(french.text("created vault/a.md and one more")).toBe("créé vault/a.md et un autre");
  expect(french.text("created vault/a.md and 2 more")).toBe("créé vault/a.md et 2 autres");
  expect(french.text("1 folder can be watched.")).toBe("1 dossier peut être surveillé.");
});

it("what a choice of coffre adopt takes away is said in the same language as what it changes", () => {
  const own = "own   only notes that coffre makes get them:";
  expect(french.text(`${own} vault/tree.md is taken away`)).toBe(
    "own   seules les notes que fait coffre les reçoivent : vault/tree.md est retiré",
  );
  expect(french.text(`${own} 2 notes change, vault/tree.md is taken away`)).toBe(
    "own   seules les notes que fait coffre les reçoivent : 2 notes changent, vault/tree.md est retiré",
  );
});

/** What was printed, without what differs from one vault and one moment to the next. */
function linesOf({ stdout, stderr }: Ran, { root, state }: TemporaryPlace): string[] {
  return (stdout + stderr)
    .replaceAll(root, "ROOT")
    .replaceAll(state, "STATE")
    .replaceAll(/\b[a-z0-9]{12}\b/gu, "ID")
    .split("\n");
}

describe("with a French locale", () => {
  const files = { "a.md": "# Titre\nune pompe\n", "notes/b.md": "deux\n" };

  /** Lines of prose that are the same in both languages were not translated. */
  const same = [/^\s*$/u, /^ {2,}coffre /u, /^Version /u, /^[\d`]/u, /^\s*(?:export|\/)/u];

  it.each([
    [["status"]],
    [["doctor"]],
    [["log"]],
    [["write", "c.md", "texte"]],
    [["append", "a.md", "- fait", "--bottom"]],
    [["append", "a.md", "- fait"]],
    [["edit", "a.md", "--old", "une pompe", "--new", "deux pompes"]],
    [["edit", "a.md", "--old", "zzz", "--new", "y"]],
    [["edit", "a.md", "--section", "Titre", "--new", "y"]],
    [["edit", "a.md", "--section", "Autre", "--new", "y"]],
    [["edit", "a.md", "--set", "tokens=1"]],
    [["edit", "a.md", "--set", "tokens"]],
    [["edit", "a.md"]],
    [["append", "c.md", "trois", "--top", "--replaces", "a.md:2"]],
    [["append", "c.md", "trois", "--top", "--replaces", "a.md"]],
    [["append", "c.md", "trois", "--top", "--replaces", "a.md:9"]],
    [["append", "bucket/c.md", "trois", "--top", "--replaces", "a.md:2"]],
    [["move", "a.md", "notes/"]],
    [["move", "a.md"]],
    [["move", "a.md", "notes/b.md"]],
    [["delete", "notes/"]],
    [["read", "gone.md"]],
    [["read", "../x.md"]],
    [["read", "a.md:99"]],
    [["read", ".git"]],
    [["write", "a.md", "autre"]],
    [["write", "a.pdf", "autre"]],
    [["search", "zzzz"]],
    [["undo", "zzzz"]],
    [["undo", "last"]],
    [["undo", ""]],
    [["inbox"]],
    [["inbox", "show", "zzz"]],
    [["tidy"]],
    [["tidy", "--daily", "on"]],
    [["tidy", "--daily", "off"]],
    [["verify", "/nowhere/x.md"]],
    [["verify", "-"]],
    [["open"]],
    [["reindex"]],
    [["ingest", "/nowhere/x.pdf"]],
    [["tree", "--detph", "2"]],
    [["tree", "--depth", "deux"]],
    [["tree", "a", "b"]],
    [["search", "x", "--mode", "slow"]],
    [["serach", "x"]],
    [["serve", "--port", "99999"]],
    [["private", "add"]],
    [["private", "remove"]],
  ])("%j says nothing in English", async (argv) => {
    const [here, there] = [temporaryPlace(files), temporaryPlace(files)];
    const [english, said] = [await here.run(argv), await there.run(argv, { environment })];
    expect(said.code).toBe(english.code);
    const before = linesOf(english, here);
    const left = linesOf(said, there).filter((line) => before.includes(line));
    expect(left.filter((line) => !same.some((pattern) => pattern.test(line)))).toEqual([]);
    // A sentence that is not in the catalogue stands in brackets after what its code means.
    expect(said.stderr).not.toMatch(/\. \(.*\.\)\n/u);
  });

  it.each(clientNames)("says what to do next with %s", async (client) => {
    const { run } = temporaryPlace(files);
    const next = clientCalled(client).next("coffre");
    expect((await run(["connect", client])).stderr).toContain(next);
    const said = await run(["connect", client], { environment });
    expect(said.stderr).not.toContain(next);
    expect(said.stderr).toContain(french.text(next));
  });

  it("gives programs English", async () => {
    const { run } = temporaryPlace(files);
    const { stderr } = await run(["read", "gone.md", "--json"], { environment });
    expect(stderr).toContain("does not exist");
  });

  it.each([
    [
      "vault/caf\uFFFD is hidden: its name is not UTF-8. Rename it.",
      "vault/caf\uFFFD est caché : son nom n’est pas en UTF-8. Renommez-le.",
    ],
    [
      "The vault /v is empty or cannot be read, though 3 files are known. Nothing was forgotten, and nothing is written. Is its disk mounted, its folder moved? If it was emptied on purpose, put any file into it.",
      "Le coffre /v est vide ou illisible, alors que 3 fichiers sont connus. Rien n’a été oublié, et rien n’est écrit. Son disque est-il monté, son dossier a-t-il été déplacé ? S’il a été vidé exprès, mettez-y un fichier quelconque.",
    ],
    [
      "The history in /s cannot be written (database or disk is full), so nothing was changed. Free some space, or give another folder with --state.",
      "L’historique dans /s ne peut pas être écrit (base de données ou disque plein), donc rien n’a été changé. Libérez de la place, ou donnez un autre dossier avec --state.",
    ],
    [
      "The process 7 owns the vault /v. It keeps the vault's state in /s: use that one with --state, or stop the process first.",
      "Le processus 7 tient le coffre /v. Il garde l’état du coffre dans /s : utilisez celui-là avec --state, ou arrêtez d’abord le processus.",
    ],
  ])("says of a fault: %s", (english, said) => {
    expect(french.text(english)).toBe(said);
  });

  it("leaves notes as they are", async () => {
    const { run } = temporaryPlace({ "a.md": "Nothing waits.\n", "Nothing waits.": "x\n" });
    expect((await run(["read", "a.md"], { environment })).stdout).toContain("| Nothing waits.");
    const inbox = temporaryPlace({ "inbox/2026-01-31-x/review.md": "Nothing waits.\nDone.\n" });
    const shown = await inbox.run(["inbox", "show", "2026-01-31-x"], { environment });
    expect(shown.stdout).toContain("Nothing waits.\nDone.\n");
  });

  it("shows an unknown error after what its code means", () => {
    expect(french.error("busy", "Xylophones are tuned.")).toBe(
      "C’est occupé pour l’instant. (Xylophones are tuned.)",
    );
  });

  it.each([{ LC_ALL: "fr_CA.UTF-8", LANG: "en_US.UTF-8" }, { LC_MESSAGES: "fr_FR" }])(
    "is chosen as by %j",
    async (variables) => {
      expect((await coffre(["help"], { environment: variables })).stdout).toContain("Partout :");
    },
  );
});
