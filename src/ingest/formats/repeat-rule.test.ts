import { expect, it } from "vitest";

import { repeatText } from "./repeat-rule.ts";

it.each([
  ["FREQ=WEEKLY;COUNT=4", "weekly, 4 times"],
  [
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20241231",
    "every 2 weeks on Monday, Wednesday, until 20241231",
  ],
  ["FREQ=MONTHLY;BYDAY=-1FR", "monthly on the last Friday"],
  ["FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=14", "yearly on day 14 in March"],
  ["FREQ=MONTHLY;BYSETPOS=2;BYDAY=MO", "FREQ=MONTHLY;BYSETPOS=2;BYDAY=MO"],
  ["FREQ=SOMETIMES", "FREQ=SOMETIMES"],
  ["", ""],
])("says how an entry repeats: %s", (rule, text) => {
  expect(repeatText(rule, (value) => value)).toBe(text);
});
