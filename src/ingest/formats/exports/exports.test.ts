import { createHash } from "node:crypto";

import { describe, expect, it } from "vitest";

import { convertHere } from "../../testing/convert.ts";
import {
  ATOM,
  CALENDAR,
  CHATGPT,
  CLAUDE,
  CONTACTS,
  ENEX,
  FEED,
  keepFile,
  NOTEBOOK,
  notionFile,
  slackFile,
  WHATSAPP,
} from "../../testing/exported-files.ts";
import { pngFile } from "../../testing/png-file.ts";
import { zipFile } from "../../testing/zip-file.ts";

async function markdownOf(name: string, content: string): Promise<string> {
  return (await convertHere(name, content)).markdown;
}

async function notesOf(name: string, content: string | Buffer): Promise<Record<string, string>> {
  const { inside } = await convertHere(name, content);
  return Object.fromEntries(
    inside.map((file) => [
      file.name,
      file.converted?.markdown ?? Buffer.from(file.bytes).toString(),
    ]),
  );
}

describe("files of other programs that are read", () => {
  it("a notebook: its texts, code and results", async () => {
    const { markdown, images } = await convertHere("a.ipynb", NOTEBOOK);
    expect(markdown).toBe(
      "# Harvest\nIn *kilos*.\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n![](attachment:image-1.png)\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\nValueError: no\n```",
    );
    expect(images).toHaveLength(1);
  });

  it("a feed: its entries, without what they hide", async () => {
    const { title, markdown } = await convertHere("feed.xml", FEED);
    expect(title).toBe("The garden");
    expect(markdown).toBe(
      "## Sow & wait\n\n- Sat, 02 Mar 2024 10:00:00 GMT\n- <https://example.org/sow>\n\nEarly **peas**.",
    );
    expect(await markdownOf("a.atom", ATOM)).toBe(
      "## One\n\n- 2024-03-02T10:00:00Z\n- Ana\n- <https://example.org/one>\n\nText",
    );
  });

  it("a calendar: events and tasks by their time", async () => {
    const { title, markdown } = await convertHere("a.ics", CALENDAR);
    expect(title).toBe("Garden");
    expect(markdown).toBe(String.raw`## Sow peas, early

- When: 2024-03-02 10:00 UTC – 2024-03-02 11:00 UTC
- Where: The long bed
- Who: Ana Lee

Bring seeds.
And water.

## Second

- When: 2024-04-01

## [x] Buy string

- Due: 2024-05-01 08:00
- Status: COMPLETED`);
  });

  it("contacts", async () => {
    expect(await markdownOf("a.vcf", CONTACTS)).toBe(
      "## Ana Lee\n\n- Organisation: Garden, Seeds\n- Telephone: +33 6 12\n- Mail: ana@example.org\n\nLikes peas\n\n## Zoé Dupré",
    );
  });

  it("a chat of WhatsApp", async () => {
    const { title, markdown } = await convertHere("WhatsApp Chat with Ana.txt", WHATSAPP);
    expect(title).toBe("WhatsApp Chat with Ana");
    expect(markdown).toBe(
      "## 02/03/2024\n\n- 10:15 Messages and calls are end-to-end encrypted.\n- 10:16 **Ana**: Peas?  \n  And beans?\n\n## 03/03/2024\n\n- 08:00 **Zoé Dupré**: Yes \\*both\\*",
    );
  });
});

describe("exports become notes with their days", () => {
  it("of Evernote, with pictures, tags and files", async () => {
    const picture = pngFile();
    const enex = ENEX.replace("PNGBYTES", picture.toString("base64")).replace(
      "HASH",
      createHash("md5").update(picture).digest("hex"),
    );
    const { inside, folder } = await convertHere("notes.enex", enex);
    expect(folder).toBe("Evernote");
    expect(inside.map(({ name }) => name)).toEqual(["2024-03-02 Sowing plan.md", "prices.csv"]);
    expect(inside[0]?.converted?.markdown).toBe(
      '---\ndate: 2024-03-02\ntags: ["garden"]\n---\n\n# Sowing plan\n\nPeas first.\n\n[x] Buy seeds\n\n![](attachment:image-1.png)\n',
    );
    expect(inside[0]?.converted?.images).toHaveLength(1);
  });

  it("of ChatGPT, as the conversation was shown, from the archive and the file in it", async () => {
    const expected = {
      "2024-03-02 Peas or beans.md":
        "---\ndate: 2024-03-02\n---\n\n# Peas or beans\n\n**You** (2024-03-02 10:00):\n\nWhich?\n\n**ChatGPT** (2024-03-02 10:01):\n\nPeas.\n",
    };
    expect(await notesOf("conversations.json", CHATGPT)).toEqual(expected);
    const archive = zipFile({ "conversations.json": CHATGPT, "user.json": "{}" });
    expect(await notesOf("export.zip", archive)).toEqual(expected);
  });

  it("of Claude", async () => {
    expect(await notesOf("conversations.json", CLAUDE)).toEqual({
      "2024-03-02 Beans.md":
        "---\ndate: 2024-03-02\n---\n\n# Beans\n\n**You** (2024-03-02 10:00):\n\nWhich?\n\n*(bed.txt)*\n\n````\nTwo metres\n```by one\n````\n\n**Claude**:\n\nBeans.\n",
    });
  });

  it("of Slack, one for each channel", async () => {
    expect(await notesOf("slack.zip", slackFile())).toEqual({
      "2024-03-02 #garden.md":
        "---\ndate: 2024-03-02\n---\n\n# #garden\n\n## 2024-03-02\n\n- 10:00 **Ana**: Peas & beans (https://example.org), @Ana?\n\n## 2024-03-03\n\n- 10:00 **U2**: Yes\n",
    });
  });

  it("of Google Keep, without its trash", async () => {
    const { inside, notices } = await convertHere("takeout.zip", keepFile());
    expect(inside.map(({ name }) => name)).toEqual(["2024-03-02 Shopping.md"]);
    expect(inside[0]?.converted?.markdown).toContain(
      "- [x] Seeds\n- [ ] String\n\n![](attachment:image-1.png)",
    );
    expect(notices).toEqual(["Notes in the trash of Keep were left out: 1."]);
  });

  it("of Notion, with pictures, without ids, and each database once", async () => {
    const notes = await notesOf("Export.zip", notionFile());
    expect(Object.keys(notes)).toEqual(["2024-03-02 Garden.md", "Export/Prices_all.csv"]);
    expect(notes["2024-03-02 Garden.md"]).toContain("![bed](attachment:image-1.png)");
  });
});
