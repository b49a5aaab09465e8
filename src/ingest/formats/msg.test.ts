import { expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { convertHere } from "../testing/convert.ts";
import { msgFile } from "../testing/msg-file.ts";

const MAIL = {
  "0037": "Devis été",
  "0C1A": "Chloé",
  "5D01": "chloe@example.org",
  "1000": "Voici.\r\nMerci",
};

it("a mail of Outlook gives its headers and its text", async () => {
  const { title, markdown } = await convertHere("mail.msg", msgFile(MAIL));
  expect(title).toBe("Devis été");
  expect(markdown).toBe(String.raw`- From: Chloé \<chloe@example.org\>

Voici.
Merci`);
});

it("a mail of Outlook that is cut off is refused", async () => {
  const half = msgFile({ ...MAIL, "1000": "x".repeat(20_000) }).subarray(0, 6000);
  const refusal = await refusalOf(async () => convertHere("mail.msg", half));
  expect(refusal?.message).toContain("mail.msg");
});
