import { rmSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { demoImage } from "../testing/demo-image.ts";
import { callerOf, refusedWith, temporaryVault, textOf } from "../testing/temporary-vault.ts";

const IMAGE = demoImage();

const ETAT = `---
created: 2026-03-02T09:15:00
updated: 2026-03-09T17:40:00
tokens: 61
---

## Situation
en chantier

## En ce moment
Pose du carrelage de la cuisine

## Ce qui bloque
Le plombier ne vient pas avant avril. Décision : louer la carotteuse.
`;

const TACHES = `---
created: 2026-03-02T09:15:00
updated: 2026-03-08T08:00:00
tokens: 48
---

# Commander les joints
status: à-faire | prio: basse | ajoutée: 2026-03-08 | projet: maison
`;

function house() {
  return temporaryVault({
    "projects/maison/state.md": ETAT,
    "projects/maison/tasks.md": TACHES,
    "projects/maison/bucket/devis.md": "Devis du 4 mars\n",
    "bucket/plan.png": IMAGE,
    "bucket/note.md": "Une note\n",
  });
}

describe("read: the shape of a block", () => {
  it("shows one file in a fence with its path, numbers padded to two, empty lines bare", async () => {
    const result = await callerOf(house()).update("read", {
      paths: "vault/projects/maison/state.md",
    });
    expect(textOf(result)).toBe(
      [
        "```vault/projects/maison/state.md",
        "1  | ---",
        "2  | created: 2026-03-02T09:15:00",
        "3  | updated: 2026-03-09T17:40:00",
        "4  | tokens: 61",
        "5  | ---",
        "6  |",
        "7  | ## Situation",
        "8  | en chantier",
        "9  |",
        "10 | ## En ce moment",
        "11 | Pose du carrelage de la cuisine",
        "12 |",
        "13 | ## Ce qui bloque",
        "14 | Le plombier ne vient pas avant avril. Décision : louer la carotteuse.",
        "```",
      ].join("\n"),
    );
    expect(result.isError).toBe(false);
  });

  it("separates several files by one empty line", async () => {
    const result = await callerOf(house()).update("read", {
      paths: ["vault/bucket/note.md", "vault/projects/maison/bucket/devis.md"],
    });
    expect(textOf(result)).toBe(
      "```vault/bucket/note.md\n1  | Une note\n```\n\n```vault/projects/maison/bucket/devis.md\n1  | Devis du 4 mars\n```",
    );
  });

  it("reads the files directly in a folder, in name order, without its sub-folders", async () => {
    const text = textOf(
      await callerOf(house()).update("read", { paths: "vault/projects/maison/" }),
    );
    expect(text.match(/^```vault.*$/gmu)).toEqual([
      "```vault/projects/maison/state.md",
      "```vault/projects/maison/tasks.md",
    ]);
  });

  it("accepts a mix of files and folders and gives a file named twice once, at its first place", async () => {
    const text = textOf(
      await callerOf(house()).update("read", {
        paths: [
          "projects/maison/tasks.md",
          "vault/projects/maison",
          "vault/projects/maison/tasks.md",
        ],
      }),
    );
    expect(text.match(/^```vault.*$/gmu)).toEqual([
      "```vault/projects/maison/tasks.md",
      "```vault/projects/maison/state.md",
    ]);
  });

  it("orders a folder by the bytes of the NFC names, whatever form they have on disk", async () => {
    const vault = temporaryVault({
      "d/é.md": "1\n",
      "d/e\u0301a.md": "2\n",
      "d/z.md": "3\n",
      "d/Z.md": "4\n",
    });
    const text = textOf(await callerOf(vault).update("read", { paths: "d" }));
    expect(text.match(/vault\/d\/.*$/gmu)).toEqual(
      ["Z", "z", "é", "éa"].map((name) => `vault/d/${name}.md`.normalize("NFC")),
    );
  });

  it("pads every number to the width of the file's last one", async () => {
    const vault = temporaryVault({
      "long.md": Array.from({ length: 1200 }, (_, at) => `ligne ${at + 1}`).join("\n"),
    });
    const text = textOf(await callerOf(vault).update("read", { paths: "long.md", head: 10 }));
    expect(text).toContain("1    | ligne 1\n2    | ligne 2");
  });

  it("a fence inside the file cannot close the block", async () => {
    const vault = temporaryVault({ "code.md": "```sh\nls\n```\n" });
    const text = textOf(await callerOf(vault).update("read", { paths: "code.md" }));
    expect(text).toBe("```vault/code.md\n1  | ```sh\n2  | ls\n3  | ```\n```");
    expect(text.split("\n").filter((line) => line === "```")).toHaveLength(1);
  });

  it("hides carriage returns and the byte-order mark, and opens no line after a final newline", async () => {
    const vault = temporaryVault({ "win.md": "\ufeffun\r\ndeux\r\n", "sans.md": "un\ndeux" });
    const text = textOf(await callerOf(vault).update("read", { paths: ["win.md", "sans.md"] }));
    expect(text).toBe(
      "```vault/win.md\n1  | un\n2  | deux\n```\n\n```vault/sans.md\n1  | un\n2  | deux\n```",
    );
  });
});

describe("read: head and tail", () => {
  const lines = Array.from({ length: 412 }, (_, at) => `- ligne numéro ${at + 1} du journal`);
  const journal = () => temporaryVault({ "changelog.md": `${lines.join("\n")}\n` });

  it("head gives the first whole lines whose cost fits, with their numbers and what part it is", async () => {
    const text = textOf(
      await callerOf(journal()).update("read", { paths: "vault/changelog.md", head: 250 }),
    );
    let [count, cost] = [0, 0];
    while (cost + (lines[count] ?? "").length + 1 <= 1000)
      cost += (lines[count++] ?? "").length + 1;
    expect(text.split("\n")[0]).toBe(`\`\`\`vault/changelog.md (lines 1-${count} of 412)`);
    expect(text.split("\n")).toHaveLength(count + 2);
    expect(text).toContain(`${count}  | ${lines[count - 1]}`);
  });

  it("tail gives the last lines, numbered as in the whole file", async () => {
    const text = textOf(
      await callerOf(journal()).update("read", { paths: "vault/changelog.md", tail: 30 }),
    );
    expect(text).toBe(
      `\`\`\`vault/changelog.md (lines 409-412 of 412)\n${[409, 410, 411, 412].map((n) => `${n} | ${lines[n - 1]}`).join("\n")}\n\`\`\``,
    );
  });

  it("applies to each file by itself", async () => {
    const vault = temporaryVault({ "a.md": "aaaa\nbbbb\n", "b.md": "cccc\ndddd\n" });
    const text = textOf(await callerOf(vault).update("read", { paths: ["a.md", "b.md"], head: 2 }));
    expect(text).toBe(
      "```vault/a.md (lines 1-1 of 2)\n1  | aaaa\n```\n\n```vault/b.md (lines 1-1 of 2)\n1  | cccc\n```",
    );
  });

  it("a budget larger than the file gives the whole file", async () => {
    const vault = temporaryVault({ "a.md": "aaaa\nbbbb\n" });
    for (const part of [{ head: 99_999 }, { tail: 99_999 }]) {
      const text = textOf(await callerOf(vault).update("read", { paths: "a.md", ...part }));
      expect(text).toBe("```vault/a.md\n1  | aaaa\n2  | bbbb\n```");
    }
  });

  it("a line longer than the budget is not shown, and its cost is named", async () => {
    const vault = temporaryVault({ "a.md": `${"x".repeat(799)}\ncourt\n` });
    const result = await callerOf(vault).update("read", { paths: "a.md", head: 10 });
    expect(textOf(result)).toContain("costs 200 tokens, more than head=10");
    expect(textOf(result)).not.toContain("xxx");
    expect(result.isError).toBe(false);
  });

  it.each([0, -1, 1.5, "many", true])("head=%j is an error", async (head) => {
    const result = await callerOf(journal()).update("read", { paths: "changelog.md", head });
    expect(refusedWith(result)).toBe("invalid_argument");
    expect(textOf(result)).toContain("head");
  });

  it("null means no limit", async () => {
    const vault = temporaryVault({ "a.md": "aaaa\n" });
    const result = await callerOf(vault).update("read", { paths: "a.md", head: null, tail: null });
    expect(result.isError).toBe(false);
  });

  it("head and tail together are an error", async () => {
    const result = await callerOf(journal()).update("read", {
      paths: "changelog.md",
      head: 5,
      tail: 5,
    });
    expect(refusedWith(result)).toBe("invalid_argument");
    expect(textOf(result)).toContain("exclude each other");
  });
});

describe("read: edge cases", () => {
  it("a missing path is reported and the others are read", async () => {
    const result = await callerOf(house()).update("read", {
      paths: ["vault/projects/maison/staet.md", "vault/bucket/note.md"],
    });
    expect(result.isError).toBe(false);
    expect(textOf(result)).toContain("1  | Une note");
    expect(textOf(result)).toContain(
      "Errors:\n- vault/projects/maison/staet.md does not exist. Did you mean vault/projects/maison/state.md",
    );
  });

  it("is an error only when nothing succeeded", async () => {
    const result = await callerOf(house()).update("read", { paths: ["non.md", "../dehors.md"] });
    expect(result.isError).toBe(true);
    expect(result.structured).toMatchObject({
      errors: [{ code: "not_found" }, { code: "outside_vault" }],
    });
  });

  it("an empty folder shows its header, and one with folders only names them below", async () => {
    const vault = temporaryVault({ "vide/sous/x.md": "x\n", "vide/autre/y.md": "y\n" });
    rmSync(path.join(vault.root, "vide/autre/y.md"));
    const read = async (paths: string): Promise<string> =>
      textOf(await callerOf(vault).update("read", { paths }));
    expect(await read("vault/vide/autre")).toBe("```vault/vide/autre/\n```");
    expect(await read("vault/vide")).toBe(
      "```vault/vide/\n```\nFolders in it: vault/vide/autre/, vault/vide/sous/.",
    );
  });

  it("a file with only frontmatter shows just that; an empty file shows its header", async () => {
    const vault = temporaryVault({ "f.md": "---\ntokens: 5\n---\n", "vide.md": "" });
    expect(textOf(await callerOf(vault).update("read", { paths: ["f.md", "vide.md"] }))).toBe(
      "```vault/f.md\n1  | ---\n2  | tokens: 5\n3  | ---\n```\n\n```vault/vide.md\n```",
    );
  });

  it("an empty list, too many paths, an unknown argument and no argument are errors that say so", async () => {
    const caller = callerOf(house());
    expect(textOf(await caller.update("read", { paths: [] }))).toContain("at least one path");
    expect(
      textOf(await caller.update("read", { paths: Array.from({ length: 10_000 }, () => "a.md") })),
    ).toContain("at most 1000 paths");
    expect(textOf(await caller.update("read", { paths: "a.md", lines: "1-2" }))).toContain(
      'unknown argument "lines"',
    );
    expect(textOf(await caller.update("read", undefined))).toContain("paths");
    expect(textOf(await caller.update("read", { paths: 5 }))).toContain("paths");
  });

  it("a file with a final slash, and a binary, are errors that say what to do", async () => {
    const vault = temporaryVault({
      "a.md": "a\n",
      "x.bin": Buffer.from([0xff, 0xfe, 0, 1]),
      "latin.md": Buffer.from([0x63, 0xe9, 0x0a]),
    });
    const caller = callerOf(vault);
    expect(textOf(await caller.update("read", { paths: "a.md/" }))).toContain(
      "leave out the final slash",
    );
    expect(textOf(await caller.update("read", { paths: "x.bin" }))).toContain("ingest");
    expect(textOf(await caller.update("read", { paths: "latin.md" }))).toContain("not UTF-8");
  });
});

describe("read: images", () => {
  it("gives the image itself, preceded by its path, size in pixels and bytes", async () => {
    const result = await callerOf(house()).update("read", {
      paths: "vault/bucket/plan.png",
      head: 1,
    });
    expect(result.content[0]).toEqual({
      type: "text",
      text: `vault/bucket/plan.png (image/png, 640×400, ${Math.round(IMAGE.length / 1000)} kB)`,
    });
    expect(result.content[1]).toEqual({
      type: "image",
      mimeType: "image/png",
      path: "vault/bucket/plan.png",
      data: Buffer.from(IMAGE).toString("base64"),
    });
  });

  it("mixes with text in one call, in order", async () => {
    const result = await callerOf(house()).update("read", { paths: "vault/bucket/" });
    expect(result.content.map(({ type }) => type)).toEqual(["text", "image"]);
    expect(textOf(result)).toContain("```vault/bucket/note.md");
  });

  it("takes the type from the bytes, not the name", async () => {
    const vault = temporaryVault({ "photo.JPG": IMAGE });
    const result = await callerOf(vault).update("read", { paths: "photo.JPG" });
    expect(result.content[1]).toMatchObject({ mimeType: "image/png" });
  });

  it("refuses what is not an image, or is over 7 MB", async () => {
    const vault = temporaryVault({
      "faux.png": "bonjour",
      "gros.png": Buffer.concat([Buffer.from(IMAGE), Buffer.alloc(7_000_000)]),
    });
    const caller = callerOf(vault);
    expect(textOf(await caller.update("read", { paths: "faux.png" }))).toContain(
      "its bytes are not one",
    );
    expect(textOf(await caller.update("read", { paths: "gros.png" }))).toContain("7 MB");
  });

  it("shows no more than 7 MB of them at once, and says which are left", async () => {
    const large = Buffer.concat([Buffer.from(IMAGE), Buffer.alloc(4_000_000)]);
    const vault = temporaryVault({ "1.png": large, "2.png": large, "3.png": IMAGE });
    const result = await callerOf(vault).update("read", { paths: ["1.png", "2.png", "3.png"] });
    const shown = result.content.filter(({ type }) => type === "image");
    expect(shown).toMatchObject([{ path: "vault/1.png" }, { path: "vault/3.png" }]);
    expect(textOf(result)).toContain("- vault/2.png (4 MB) does not fit into one answer");
  });
});

it("read tells programs the hash of each file, stable under the job's keys", async () => {
  const vault = temporaryVault({
    "a.md": "---\ntokens: 1\n---\n\ntexte\n",
    "b.md": "---\ntokens: 2\nupdated: 2026-01-01T00:00:00\n---\n\ntexte\n",
    "c.md": "texte\n",
    "d.md": "autre\n",
  });
  const { structured } = await callerOf(vault).update("read", { paths: "" });
  expect(structured).toMatchObject({ files: [{}, {}, {}, {}] });
  const hashes = JSON.parse(JSON.stringify(structured)).files.map(
    (file: { hash: string }) => file.hash,
  );
  expect(hashes[0]).toBe(hashes[1]);
  expect(hashes[0]).toBe(hashes[2]);
  expect(hashes[0]).not.toBe(hashes[3]);
});
