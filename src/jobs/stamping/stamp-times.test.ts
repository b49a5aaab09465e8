import { statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { localTime } from "../../text/local-time.ts";
import type { StampTimes, Unstamped } from "../../vault/write/stamper.ts";
import { versionHash } from "../../vault/files/version.ts";
import { earliestTime, timesFor } from "./stamp-times.ts";

const MODIFIED = new Date(2025, 6, 14, 18, 30, 0);
const NOW = new Date(2030, 0, 1);
const TIME = localTime(MODIFIED);

function file(text: string): Unstamped {
  const place = path.join(temporaryFolder(), "a.md");
  writeFileSync(place, text);
  utimesSync(place, MODIFIED, MODIFIED);
  const { mtimeMs: modified, birthtimeMs: created } = statSync(place);
  return { text, modified, created, hash: versionHash(Buffer.from(text)) };
}

function times(text: string, known: string | null, now = NOW): StampTimes {
  return timesFor(file(text), known === null ? undefined : { hash: known }, now);
}

const RIGHT =
  "---\ncreated: 2024-01-01T00:00:00\nupdated: 2024-02-02T00:00:00\ntokens: 20\n---\n\nA\n";

it("a new file gets both times, that of its last change", () => {
  expect(times("# A\n", null)).toEqual({ created: TIME, updated: TIME });
});

it("a file whose text is the one that is known keeps its times", () => {
  expect(times(RIGHT, versionHash(Buffer.from(RIGHT)))).toEqual({});
});

it("a file whose text is another gets the time of its last change", () => {
  expect(times(RIGHT, "another")).toEqual({ updated: TIME });
});

it("a file that is not known and whose count is right keeps its times: it was copied, or the memory was lost", () => {
  expect(times(RIGHT, null)).toEqual({});
});

it("a file that is not known and whose count is wrong was edited since it was counted", () => {
  expect(times(RIGHT.replace("A\n", "A et B\n"), null)).toEqual({ updated: TIME });
});

it("a time of the person's own, without a count, is kept", () => {
  expect(times("---\nupdated: 2020-05-05\n---\n\nA\n", null)).toEqual({
    created: "2020-05-05T00:00:00",
  });
});

it.each(["updated: hier", "updated:", "updated: [1, 2]"])(
  "what is no time is replaced, if it may be written: %s",
  (line) => {
    expect(times(`---\n${line}\n---\n\nA\n`, null)).toMatchObject({ updated: TIME });
  },
);

it("a file from the future is dated today", () => {
  const earlier = new Date(2020, 0, 1);
  expect(times("# A\n", null, earlier)).toMatchObject({ updated: localTime(earlier) });
});

it.each([
  ["2021-03-05 réunion.md", "A\n", "2021-03-05T00:00:00"],
  ["journals/2021_03_05.md", "A\n", "2021-03-05T00:00:00"],
  ["20210305.md", "A\n", "2021-03-05T00:00:00"],
  ["d.md", "---\ndate: 2020-06-07\n---\nA\n", "2020-06-07T00:00:00"],
  ["d.md", "---\ncreated: 2019-01-02\ndate: 2020-06-07\n---\nA\n", "2019-01-02T00:00:00"],
  ["d.md", '---\ncreated: "[[2019-01-02]]"\n---\nA\n', "2019-01-02T00:00:00"],
  ["d.md", '+++\ntitle = "x"\ndate = 2019-01-02 # then\n+++\nA\n', "2019-01-02T00:00:00"],
  ["d.md", "\ufeff+++\r\ndate = '2019-01-02T03:04:05'\r\n+++\r\n", "2019-01-02T03:04:05"],
  ["d.md", "+++\n[params]\ndate = 2019-01-02\n+++\nA\n", TIME],
  ["d.md", "+++\n+++\ndate = 2019-01-02\n", TIME],
  ["d.md", '{\n  "date": "2019-01-02"\n}\nA\n', "2019-01-02T00:00:00"],
  ["d.md", '{\n  "a": { "date": "2019-01-02" }\n}\nA\n', TIME],
  ["d.md", "tags:: x\ncreated:: [[2019-01-02]]\n\n- A\n", "2019-01-02T00:00:00"],
  ["d.md", "- A\ncreated:: [[2019-01-02]]\n", TIME],
  ["d.md", "---\ncreated: 05/03/2019 14:02\n---\nA\n", TIME],
  ["d.md", "---\ncreated: 2019-01-02-draft\n---\nA\n", TIME],
  ["2021-13-45.md", "A\n", TIME],
  ["1789-07-14 Bastille.md", "A\n", TIME],
  ["2099-01-01.md", "A\n", TIME],
  ["202103051.md", "A\n", TIME],
])("%s was made at the earliest time that anything says", (name, text, made) => {
  expect(earliestTime(name, text, TIME, NOW.getTime())).toBe(made);
});

it("a first block gets the times that were kept for the file", () => {
  const unstamped = file("# A\n");
  const changed = "2024-05-05T06:07:08";
  const facts = { kind: "text", tokens: 1, bytes: 4, changed, signature: "" } as const;
  const known = { hash: unstamped.hash, created: "2023-01-01T00:00:00", facts };
  expect(timesFor(unstamped, known, NOW)).toEqual({
    created: "2023-01-01T00:00:00",
    updated: changed,
  });
});
