import { expect, it } from "vitest";

import { excerptText } from "./excerpt.ts";

it.each([
  ["## Money", ""],
  ["| --- | ---: |", ""],
  ["---", ""],
  ["```js", ""],
  ["| Kiln | £2,600 | | paid |", "Kiln · £2,600 · paid"],
  ["- [ ] **Call** Jo", "• Call Jo"],
  ["> quoted `text`", "quoted text"],
  ["See [[projects/loft/state|the state]] and [this](a.md).", "See the state and this."],
  ["status: todo | prio: high", "status: todo | prio: high"],
  ["2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"],
])("shows %j as %j", (line, text) => {
  expect(excerptText(line)).toBe(text);
});
