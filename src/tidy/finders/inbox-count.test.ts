import { expect, it } from "vitest";

import { look } from "../testing/look.ts";
import { inboxCount } from "./inbox-count.ts";

const overview = (line: string, title = "Inbox"): { "overview.md": string } => ({
  "overview.md": `# Overview\n\n## ${title}\n\n${line}\n\n## More\n\nx\n`,
});

it.each([
  ["3 items waiting: a mail.", "Inbox", 1, "1 item waiting."],
  ["2 éléments en attente.", "Boîte de réception", 0, "Rien n'attend."],
  ["Nothing waits.", "Inbox", 2, "2 items waiting."],
])("makes %s right", async (line, title, others, right) => {
  const files = overview(line, title);
  const inbox = { others, all: others };
  const { find, apply, read } = look(files, inboxCount.find, inbox);
  await apply(await find());
  expect(read("overview.md")).toBe(files["overview.md"].replace(line, right));
  expect(await find()).toEqual([]);
});

it.each([
  ["1 item waiting: a mail.", { others: 1, all: 2 }],
  ["2 items waiting.", { others: 1, all: 2 }],
  ["How many items in `inbox/` are waiting for an answer from you.", { others: 0, all: 0 }],
  ["Whatever the person wrote, 5 of them.", { others: 0, all: 0 }],
])("leaves %s", async (line, inbox) => {
  expect(await look(overview(line), inboxCount.find, inbox).find()).toEqual([]);
});
