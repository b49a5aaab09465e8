import { expect, it } from "vitest";

import { look, titlesOf } from "../testing/look.ts";
import { pastDates } from "./past-dates.ts";

it.each([
  ["The wheels will be delivered\non 2026-11-10, all five.", 4, "2026-11-10"],
  ["- 2026-11-17: Polmear starts, two weeks of work", 3, "2026-11-17"],
  ["Selin holds it until 16 November 2026.", 3, "16 November 2026"],
  ["Les tours seront livrés le 10 novembre 2026.", 3, "10 novembre 2026"],
  ["Ouverture prévue le 2026-11-01.", 3, "2026-11-01"],
  ["Arthur starts on 2026-11-10; first firing on 2026-12-08.", 3, "2026-11-10"],
])("finds %s", async (text, line, date) => {
  const found = await look(
    { "projects/a/state.md": `## Focus\n\n${text}\n` },
    pastDates.find,
  ).find();
  expect(found).toMatchObject([
    { path: "projects/a/state.md", line, changes: [], canBeWorded: true },
  ]);
  expect(found[0]?.title.en).toContain(date);
  expect(found[0]?.title.fr).toContain(date);
});

it.each([
  ["Opening on 2026-12-20, two weeks later."],
  ["It was planned for 2026-11-10."],
  ["Written on 2026-11-12, no answer yet."],
  ["Le stage a été déplacé du 2026-11-01, il commence plus tard."],
  ["From 2026-11-01 it will go on until 2026-12-24."],
  ["It will start on 10 November."],
  ["It will start today, 2026-11-18."],
  ["```\nwill start on 2026-11-01\n```"],
  ["| Leg | starts 2026-11-01 |"],
])("leaves %s", async (text) => {
  expect(await titlesOf({ "projects/a/state.md": `## Focus\n\n${text}\n` }, pastDates)).toEqual([]);
});

it("looks only at pages that speak of the present", async () => {
  const text = "It will start on 2026-11-01.\n";
  const files = { "projects/a/changelog.md": text, "projects/a/bucket/m.md": text };
  expect(await titlesOf(files, pastDates)).toEqual([]);
  const foreign = { "overview.md": text, "Areas/state.md": text };
  expect(await titlesOf(foreign, pastDates)).toEqual([]);
});
