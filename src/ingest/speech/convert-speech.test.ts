import { expect, it } from "vitest";

import { isLoop } from "./convert-speech.ts";

it.each([
  ["The main reason is to be a human being, a human being, a human being, a human being,", true],
  ["You can use it in the console. ".repeat(4), true],
  ["Dial one one one one, then five five five five five five.", false],
  ["No, no, no, no, no. I said no.", false],
  ["Press one to record your message. Press two to hear it. Press three to hear it again.", false],
])("a model that goes in circles is recognised: %s", (text, expected) => {
  expect(isLoop(text)).toBe(expected);
});
