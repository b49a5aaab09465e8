import type { Random } from "../../src/testing/random.ts";
import { stampFrontmatter } from "../../src/vault/files/frontmatter.ts";

/** A note of another program: where it lies, and its bytes. */
export interface ForeignNote {
  readonly path: string;
  readonly bytes: string | Buffer;
  /** 0o644 when left out. */
  readonly mode?: number;
}

const WORDS =
  "kiln glaze invoice tenant harbour lantern archive protocol garden ledger winter bakery signal meeting draft budget école façade naïve Überblick 会議 идея".split(
    " ",
  );

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(WORDS)).join(" ");
}

function paragraphs(random: Random): string {
  const count = 1 + random.below(4);
  return Array.from({ length: count }, () => `${words(random, 8 + random.below(40))}.`).join(
    "\n\n",
  );
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

function day(random: Random): string {
  return `${2015 + random.below(10)}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`;
}

type Make = (at: number, random: Random) => ForeignNote;

/** Keys with our names that mean something else to the person. */
const OWN_KEYS: readonly string[] = [
  'created: "[[2021-03-05]]"',
  "created: yesterday",
  "created: 05/03/2021 14:02",
  "created: 2021-03-05",
  'updated: "[[2021-03-05]]"',
  "updated: 2021-03-05T10:00:00+01:00",
  "updated: [monday, tuesday]",
  "updated:",
  "tokens: my-own-value",
  "tokens: 12.5",
  "tokens: {in: 3, out: 4}",
  "created: 2021-03-05T10:00:00\nupdated: 2021-03-06T10:00:00",
  "created: 2021-03-05T10:00:00\nupdated: sometime\ntokens: 9",
  "Created: 2021\nUPDATED: 2022",
  "usage:\n  created: 2021-03-05T10:00:00\n  updated: 2021-03-06T10:00:00\n  tokens: 12",
];

const obsidian: Make = (at, random) => {
  const front = [
    `tags: [${random.pick(WORDS)}, "#${random.pick(WORDS)}"]`,
    `aliases:\n  - ${words(random, 2)} # mine`,
    ...(random.isChance(0.4) ? [random.pick(OWN_KEYS) ?? ""] : []),
    "cssclass:   wide",
  ];
  const text = [
    ...(random.isChance(0.7) ? ["---", ...front, "---", ""] : []),
    `# ${words(random, 3)}`,
    "",
    `See [[Note ${random.below(at + 1)}]] and [[Note ${random.below(at + 1)}#${random.pick(WORDS)}|this]]. ![[picture ${random.below(5)}.png|200]]`,
    "",
    `> [!note]- ${words(random, 2)}\n> ${words(random, 9)}`,
    "",
    `- [ ] ${words(random, 4)} 📅 ${day(random)}`,
    `<% tp.date.now("YYYY-MM-DD") %> ==${random.pick(WORDS)}== %%${random.pick(WORDS)}%% $x^2$`,
    "",
    paragraphs(random),
  ];
  const folder = ["Vault", "Vault/Areas/Été 2021", "Vault/Résumés", "Vault/Deep/er/and/deeper"];
  return { path: `${random.pick(folder)}/Note ${at}.md`, bytes: `${text.join("\n")}\n` };
};

const daily: Make = (at, random) => ({
  path: `Vault/Daily/${day(random)} ${at}.md`,
  bytes: `---\ncreated: ${day(random)} 08:00\ntokens: 0x10\n---\n## Log\n\n${paragraphs(random)}`,
});

const hugo: Make = (at, random) => ({
  path: `site/content/posts/${random.pick(["a", "b"])}/post-${at}/index.md`,
  bytes: `+++\ntitle = "${words(random, 3)}"\ndate = ${day(random)}T10:00:00Z\ndraft = false\n[params]\n  tokens = "mine"\n+++\n\n{{< figure src="x.png" >}}\n\n${paragraphs(random)}\n`,
});

const hugoJson: Make = (at, random) => ({
  path: `site/content/json/page-${at}.md`,
  bytes: `{\n  "title": "${words(random, 3)}",\n  "updated": "never"\n}\n\n${paragraphs(random)}\n`,
});

const jekyll: Make = (at, random) => ({
  path: `blog/_posts/${day(random)}-post-${at}.markdown`,
  bytes: `---\nlayout: post\ntitle:  "${words(random, 3)}"\ndate:   ${day(random)} 10:00:00 +0100\ncategories: ${random.pick(WORDS)}\n---\n{% include x.html %}\n\n${paragraphs(random)}\n`,
});

const logseq: Make = (at, random) => ({
  path: random.isChance(0.5)
    ? `graph/journals/${day(random).replaceAll("-", "_")}_${at}.md`
    : `graph/pages/topic%2Fpart ${at}.md`,
  bytes: `created:: [[${day(random)}]]\ntokens:: many\n\n- ${words(random, 5)}\n\t- TODO ${words(random, 5)}\n\t  id:: 64b0-${at}\n- {{query (todo now)}}`,
});

const plain: Make = (at, random) => ({
  path: `${random.pick(["plain", "plain/old", "projects/boat", "inbox/letters"])}/${random.pick(WORDS)}-${at}${random.pick([".md", ".md", ".md", ".txt", ".MD"])}`,
  bytes: `${words(random, 4)}\n${"=".repeat(10)}\n\n${paragraphs(random)}${random.pick(["", "\n", "\n\n\n"])}`,
});

const windows: Make = (at, random) => ({
  path: `Windows/Notiz ${at}.md`,
  bytes: `${random.isChance(0.5) ? "\uFEFF" : ""}---\r\ntitle: ${words(random, 2)}\r\n${random.isChance(0.5) ? "tokens: zwölf\r\n" : ""}---\r\n\r\n${paragraphs(random).replaceAll("\n", "\r\n")}\r\n`,
});

const invalid: Make = (at, random) => ({
  path: `broken/invalid ${at}.md`,
  bytes:
    random.pick([
      `---\ntitle: [open\n---\n\n${paragraphs(random)}\n`,
      `---\ntitle: a: b: c\n\tindent: tab\n---\n${paragraphs(random)}\n`,
      `---\nnever closed\n\n${paragraphs(random)}\n`,
      `---\n\n---\n\n${paragraphs(random)}\n`,
      `---\ncreated: 1\ncreated: 2\n---\n${paragraphs(random)}\n`,
      Buffer.from("caf\xe9 et cr\xe8me, d\xe9j\xe0 vu\n", "latin1"),
      "",
    ]) ?? "",
});

const readOnly: Make = (at, random) => ({
  path: `signed/contract ${at}.md`,
  bytes: `# ${words(random, 3)}\n\n${paragraphs(random)}\n`,
  mode: random.pick([0o444, 0o400, 0o640, 0o755]) ?? 0o444,
});

/** As coffre would have left it in another vault: right in every key, so that nothing is to be written. */
const ours: Make = (at, random) => {
  const text = `---\ntags: [kept]\n---\n\n# ${words(random, 3)}\n\n${paragraphs(random)}\n`;
  const times = { created: "2024-02-03T04:05:06", updated: "2024-03-04T05:06:07" };
  const stamped = stampFrontmatter(text, times);
  return {
    path: `from-coffre/note ${at}.md`,
    bytes: stamped.kind === "left" ? text : stamped.text,
  };
};

/** Notes whose keys are wrong: what of a foreign vault is written to in the setting `own`. */
export const OURS_EDITED = "from-coffre/edited";

/** As coffre would have left it in another vault, and an editor changed it since. */
const oursEdited: Make = (at, random) => {
  const { bytes } = ours(at, random);
  return {
    path: `${OURS_EDITED} ${at}.md`,
    bytes: `${bytes.toString()}\n${paragraphs(random)}\n`,
  };
};

/** As programs that talk to models keep their figures: our three names in our form, but under a key of the person's. */
const nested: Make = (at, random) => ({
  path: `sessions/run ${at}.md`,
  bytes: `---\nusage:\n  created: ${day(random)}T10:00:00\n  updated: ${day(random)}T11:00:00\n  tokens: ${random.below(5000)}\nmodel: ${random.pick(WORDS)}\n---\n\n${paragraphs(random)}\n`,
});

/** A Mac writes letters, then their accents. */
const decomposed: Make = (at, random) => ({
  path: `Été/relevé ${at}.md`.normalize("NFD"),
  bytes: `# Relevé\n\n${paragraphs(random)}\n`,
});

const MAKERS: readonly (readonly [weight: number, make: Make])[] = [
  [30, obsidian],
  [8, daily],
  [12, hugo],
  [3, hugoJson],
  [10, jekyll],
  [12, logseq],
  [12, plain],
  [6, windows],
  [5, invalid],
  [4, readOnly],
  [3, ours],
  [3, oursEdited],
  [3, decomposed],
  [3, nested],
];

export function foreignNote(at: number, random: Random): ForeignNote {
  return (random.weighed(MAKERS) ?? plain)(at, random);
}
