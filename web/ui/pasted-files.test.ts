import { expect, it } from "vitest";

import { pastedFiles } from "./pasted-files.ts";

const picture = new File(["x"], "plan.png", { type: "image/png" });

function pasted(text: string, files: readonly File[]): string[] {
  const list: FileList = Object.assign([...files], { item: (at: number) => files[at] ?? null });
  return pastedFiles({ files: list, getData: () => text }).map(({ name }) => name);
}

it.each([
  ["a picture alone", "", ["plan.png"]],
  ["a file with its name", "plan.png", ["plan.png"]],
  ["a file with its path", "/home/jo/plan.png\r\n", ["plan.png"]],
  ["a text with a picture of it", "Middle line.\n", []],
])("%s: %j is %j", (_, text, names) => {
  expect(pasted(text, [picture])).toEqual(names);
});

it("is nothing where nothing is", () => {
  expect(pastedFiles(null)).toEqual([]);
  expect(pasted("text", [])).toEqual([]);
});
