import { expect, it } from "vitest";

import { codeOf } from "../../testing/expected-error.ts";
import { chosenNumbers } from "./tidy-answer.ts";

it.each([
  ["yes", [1, 2, 3, 4]],
  ["Oui.", [1, 2, 3, 4]],
  ["tous", [1, 2, 3, 4]],
  ["D’accord !", [1, 2, 3, 4]],
  ["no", []],
  ["Aucune", []],
  ["3", [3]],
  ["1,3", [1, 3]],
  ["yes, 2", [2]],
  ["4 3 3", [3, 4]],
  ["1 and 4", [1, 4]],
  ["les 1, 2 et 4", [1, 2, 4]],
  ["2-4", [2, 3, 4]],
  ["1 à 3", [1, 2, 3]],
])("%s chooses %j of four", (answer, numbers) => {
  expect(chosenNumbers(answer, 4)).toEqual(numbers);
});

it.each([
  "",
  "5",
  "0",
  "1,5",
  "3-1",
  "maybe",
  "yes but not 2",
  "-1",
  "1.5",
  "99999999999999999999-1",
])("%s chooses nothing that could be made", async (answer) => {
  expect(await codeOf(async () => chosenNumbers(answer, 4))).toBe("invalid_argument");
});

it("yes to none is none", () => {
  expect(chosenNumbers("yes", 0)).toEqual([]);
});
