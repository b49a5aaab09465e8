import { execFileSync } from "node:child_process";

import { expect, it } from "vitest";

import { shellQuote } from "./shell-quote.ts";

it.each(["plain/path.md", "été.md", "two words", "it's", `"double" $HOME \`x\``, "a\nb", "*", "~"])(
  "a quoted word means itself in a shell: %j",
  (word) => {
    const printed = execFileSync("bash", ["-c", `printf %s ${shellQuote(word)}`], {
      encoding: "utf8",
    });
    expect(printed).toBe(word);
  },
);

it("leaves alone what needs no quotes", () => {
  expect(shellQuote("projects/garden-1/state.md")).toBe("projects/garden-1/state.md");
});
