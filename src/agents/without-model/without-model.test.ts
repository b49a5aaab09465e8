import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { createService } from "../../compose.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { PIXEL } from "../../testing/models/house-script.ts";
import { temporaryFolder, writeFiles, type Files } from "../../testing/temporary-vault.ts";
import { countTokens } from "../../text/tokens.ts";
import type { RememberInput } from "../contract.ts";
import type { Memory } from "../memory.ts";
import type { QueuedUpdate } from "../queue/update-queue.ts";

interface Home {
  readonly memory: Memory;
  readonly read: (name: string) => string;
  readonly has: (name: string) => boolean;
  readonly undo: (batch: string) => Promise<unknown>;
  readonly remember: (content: string, more?: Partial<RememberInput>) => Promise<QueuedUpdate>;
}

async function homeOf(files: Files = houseFiles): Promise<Home> {
  const folder = temporaryFolder();
  const root = path.join(folder, "notes");
  mkdirSync(root);
  writeFiles(root, files);
  const service = await createService({
    root,
    state: path.join(folder, "state"),
    isWatching: false,
    now: () => new Date("2026-11-16T10:00:00"),
    memory: {
      model: null,
      onBug: (error) => {
        throw error;
      },
    },
  });
  onTestFinished(() => service.close());
  const { memory, vault } = service;
  if (memory === null) throw new Error("no memory");
  return {
    memory,
    read: (name) => readFileSync(path.join(root, name), "utf8"),
    has: (name) => existsSync(path.join(root, name)),
    undo: async (batch) => vault.undo(batch, { actor: "test", force: false }),
    remember: async (content, more = {}) => {
      const { id } = await memory.remember({ content, from: "test", ...more });
      return memory.updates.ended(id);
    },
  };
}

const NOTE = "The varnish for the dinghy came today, two tins.\n\nMatt, not glossy!";

describe("remember without a model", () => {
  it("leaves the text as it is in the inbox, with what the vault has on it and one question", async () => {
    const { remember, read, memory } = await homeOf();
    const { status, report } = await remember(NOTE);
    expect(status).toBe("parked");
    const folder = "inbox/2026-11-16-the-varnish-for-the-dinghy-came-today";
    expect(report).toMatchObject({ inbox: path.basename(folder), model: null, steps: 0 });
    expect(read(`${folder}/original.md`)).toMatch(
      /(?:^|---\n\n)The varnish for the dinghy came today, two tins\.\n\nMatt, not glossy!\n$/u,
    );
    const review = read(`${folder}/review.md`);
    expect(review).toContain("# Review: The varnish for the dinghy came today, two tins.");
    expect(review).toContain("`The varnish for the dinghy came today two tins Matt not glossy`");
    expect(review).toContain("- `vault/projects/boat/state.md` (");
    expect(review).toContain("Keep it in the bucket of **boat**, with an entry in");
    expect((await memory.inbox.list())[0]?.question).toMatch(/^In which project .*boat/u);
  });

  it("asks in French about a French text", async () => {
    const { remember, read } = await homeOf();
    const { report } = await remember("Le vernis est arrivé, deux pots pour la barque de Maud.");
    const review = read(`inbox/${report?.inbox}/review.md`);
    expect(review).toContain("# Revue : Le vernis est arrivé");
    expect(review).toContain("De quel projet cela relève-t-il");
  });

  it.each([
    [
      "Is the varnish for the hull paid? It costs 4,280.",
      "no longer holds: replaced on 2026-11-16 by",
    ],
    [
      "Le vernis de la coque est-il payé ? Il coûte 4,280.",
      "ne tient plus : remplacé le 2026-11-16 par",
    ],
  ])("says of what it found that it was replaced: %s", async (note, said) => {
    const log = `# 2026-11-16\n\n## Sockets\nNow 4,510.\nReplaces: [[projects/boat/changelog#Varnish, vernis, hull, coque]] (4,280)\n\n# 2026-10-02\n\n## Varnish, vernis, hull, coque\nIt costs 4,280, paid (payé).\n`;
    const { remember, read } = await homeOf({ "projects/boat/changelog.md": log });
    const { report } = await remember(note);
    expect(read(`inbox/${report?.inbox}/review.md`)).toMatch(
      new RegExp(
        `\\(\\d+-\\d+\\).*Varnish.* · ${said} \`vault/projects/boat/changelog\\.md\``,
        "u",
      ),
    );
  });

  it("keeps images, and a text without any word", async () => {
    const { remember, has } = await homeOf();
    const { report } = await remember("", { images: [{ name: "été à la mer.png", data: PIXEL }] });
    expect(has(`inbox/${report?.inbox}/ete-a-la-mer.png`)).toBe(true);
    expect(has(`inbox/${report?.inbox}/original.md`)).toBe(false);
    const again = await remember("!!!");
    expect(again.status).toBe("parked");
  });

  it("gives every item a folder of its own", async () => {
    const { remember, memory } = await homeOf();
    await remember("same");
    await remember("same");
    expect((await memory.inbox.list()).map(({ ref }) => ref)).toEqual([
      "2026-11-16-same",
      "2026-11-16-same-2",
    ]);
  });

  it("does not take signs in the text for a query language", async () => {
    const { remember, read } = await homeOf();
    const { report } = await remember('-varnish "of the boat -dinghy');
    expect(read(`inbox/${report?.inbox}/review.md`)).toContain("vault/projects/boat/");
  });
});

describe("answering an inbox item without a model", () => {
  it("files the originals into the named project, with one changelog entry, and the item is gone", async () => {
    const { remember, read, has } = await homeOf();
    const images = [{ name: "tins.png", data: PIXEL }];
    const { report } = await remember(NOTE, { images });
    const inboxRef = report?.inbox ?? "";
    const answered = await remember("It is for the Boat.", { inboxRef });
    expect(answered).toMatchObject({ status: "done", report: { outcome: "filed" } });
    expect(has(`inbox/${inboxRef}`)).toBe(false);
    expect(read(`projects/boat/bucket/${inboxRef}.md`)).toContain("Matt, not glossy!");
    expect(has(`projects/boat/bucket/${inboxRef}-tins.png`)).toBe(true);
    const changelog = read("projects/boat/changelog.md");
    expect(changelog).toContain("# 2026-11-16\n\n## Filed: The varnish for the dinghy came today");
    expect(changelog).toContain(`[[projects/boat/bucket/${inboxRef}]]`);
    expect(changelog.match(/^## /gmu)).toHaveLength(2);
  });

  it("is one batch, which one undo takes back", async () => {
    const { remember, has, undo, read } = await homeOf();
    const { report } = await remember(NOTE);
    const inboxRef = report?.inbox ?? "";
    const answered = await remember("boat", { inboxRef });
    await undo(answered.report?.batch ?? "");
    expect(has(`inbox/${inboxRef}/original.md`)).toBe(true);
    expect(has("projects/boat/bucket")).toBe(false);
    expect(read("projects/boat/changelog.md")).not.toContain("Filed");
  });

  it("keeps what belongs to no project in the vault's bucket", async () => {
    const { remember, has } = await homeOf();
    const { report } = await remember(NOTE);
    await remember("bucket", { inboxRef: report?.inbox ?? "" });
    expect(has(`bucket/${report?.inbox}.md`)).toBe(true);
  });

  it("refuses at once an answer that names no project, or several", async () => {
    const { remember, memory } = await homeOf();
    const { report } = await remember(NOTE);
    const answer = (content: string): Promise<string> =>
      codeOf(() => memory.remember({ content, from: "test", inboxRef: report?.inbox ?? "" }));
    expect(await answer("the shed")).toBe("not_found");
    expect(await answer("house or boat")).toBe("ambiguous");
    expect(await memory.inbox.count()).toBe(1);
  });
});

describe("recall without a model", () => {
  it("gives the passages that have the words, by file, and says only how many and where", async () => {
    const { memory } = await homeOf();
    const { overview, sources, answer } = await memory.recall("Who does the roof, and why Hale?");
    expect(sources[0]?.path).toBe("vault/projects/house/changelog.md");
    expect(overview).toMatch(/^\d+ passages in \d files: vault\/projects\/house\//u);
    expect(answer).toMatch(
      /^\d+ passages[^\n]*\n\n(?:\[\d\] vault\/\S+:\d+-\d+ · sha256:[\da-f]{64}\n)+\n---\n\n```vault\/projects\/house\/changelog\.md/u,
    );
    expect(answer).toContain("| Dearer by 300, but before the frost.");
    const paths = sources.map(({ path: file }) => file);
    expect(paths).toEqual([...paths].toSorted((a, b) => paths.indexOf(a) - paths.indexOf(b)));
  });

  it("stays within four thousand tokens, however much there is", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `bucket/slates-${at}.md`,
        `# Slates ${at}\n\n${"Slates from the quarry, grey and thin. ".repeat(60)}\n`,
      ]),
    );
    const { memory } = await homeOf(many);
    const { answer, sources } = await memory.recall("slates from the quarry");
    expect(sources.length).toBeGreaterThan(1);
    expect(countTokens(answer)).toBeLessThan(4500);
  });

  it("says so when nothing has these words, in the language of the question", async () => {
    const { memory } = await homeOf();
    const none = "Où est mon hélicoptère dans le hangar du voisin ?";
    const { answer, sources } = await memory.recall(none);
    expect({ answer, sources }).toEqual({
      answer: "Rien dans le coffre ne contient ces mots.",
      sources: [],
    });
  });
});

it("recalls the best passage first, though it does not stand first in its file", async () => {
  const { memory } = await homeOf({
    "changelog.md":
      "# 2026-03-02\n\n## The opening of the door\nInwards.\n\n# 2026-03-01\n\n## Opening moved to June\nThe opening was moved because the kiln is late.\n",
  });
  const { sources } = await memory.recall("why was the opening moved?");
  expect(sources.map(({ lines }) => lines)[0]).toBe("6-9");
});

it("recalls what only the profile says, which search does not cover, above what is merely akin to it", async () => {
  const { memory } = await homeOf({
    "profile.md":
      "# Me\n\n- Ada pays\n  the rent with me.\n- Bea teaches with\n  me from May on.\n",
    "bucket/lease.md": "# Lease\n\nCraft workshop, teaching and sale.\n",
  });
  const { sources, answer } = await memory.recall("Who teaches with me?");
  expect(sources.map(({ path: file, lines }) => `${file}:${lines}`)).toEqual([
    "vault/profile.md:5-6",
    "vault/bucket/lease.md:1-3",
  ]);
  expect(answer).toContain("5  | - Bea teaches with\n6  |   me from May on.");
  const workshop = await memory.recall("where is the craft workshop?");
  expect(workshop.sources).toEqual([{ path: "vault/bucket/lease.md", lines: "1-3" }]);
});

describe("recall of what waits in the inbox, without a model", () => {
  it("names the item, which search does not cover", async () => {
    const { memory, remember } = await homeOf();
    const { id } = await remember("The plumber comes on Tuesday at nine for the leaking tap");
    expect(id).not.toBe("");
    const { answer } = await memory.recall("when do the plumbers come?");
    expect(answer).toContain(
      "In the inbox, not filed yet and not searched: vault/inbox/2026-11-16-the-plumber-comes",
    );
  });

  it("says so in French, and names nothing that the question is not about", async () => {
    const { memory, remember } = await homeOf({
      "notes.md": "Le poêle a été ramoné en octobre.\n",
    });
    await remember("Le plombier passe mardi pour la fuite de la cuisine");
    const plumber = await memory.recall("quand passe le plombier ?");
    expect(plumber.answer).toContain("Dans l'inbox, pas encore classé");
    const stove = await memory.recall("quand le poêle a-t-il été ramoné ?");
    expect(stove.answer).toContain("ramoné en octobre");
    expect(stove.answer).not.toContain("inbox");
  });
});

describe("recall of a fact that was replaced, without a model", () => {
  const files = {
    "projects/house/changelog.md":
      "# 2026-11-16\n\n## Slates\nNow 4,510.\nReplaces: [[projects/house/changelog#decision The roof costs]] (4,280)\n\n# 2026-11-03\n\n## [decision] The roof costs\nThe roof costs 4,280.\n",
    "projects/house/notes.md":
      "# Colours\n\nThe door is red; the roof is to be grey, and the gutters too.\n",
  };

  it("gives the present fact first and the old one last, and says so", async () => {
    const { memory } = await homeOf(files);
    const { overview, passages, evidence } = await memory.recall("roof costs");
    const texts = passages.map(({ text_lines: lines }) => lines.map(({ text }) => text).join("\n"));
    expect(texts[0]).toContain("Now 4,510.");
    expect(texts.at(-1)).toContain("The roof costs 4,280.");
    expect(overview.split("\n")[1]).toBe(
      `[${evidence.length}] no longer holds: replaced on 2026-11-16 by [1].`,
    );
    expect(evidence.at(-1)?.replaced?.value).toBe("4,280");
  });

  it("names the old value when it is asked for", async () => {
    const { memory } = await homeOf(files);
    const { overview } = await memory.recall("What was the cost of the roof?");
    expect(overview).toMatch(/\nBefore 2026-11-16: 4,280 \[\d\]\. Now: \[1\]\.$/u);
    const french = await memory.recall("Quel était, avant, le prix du roof dans les costs ?");
    expect(french.overview).toMatch(
      /\nAvant le 2026-11-16 : 4,280 \[\d\]\. Maintenant : \[1\]\.$/u,
    );
  });
});
