import { execFileSync } from "node:child_process";

import { expect, it } from "vitest";

import { commandLine, shellQuote } from "./shell-quote.ts";

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

it("means its words in a shell", () => {
  const words = ["printf", "%s|", `{"name":"it's"}`, "/my notes", "--"];
  const printed = execFileSync("bash", ["-c", commandLine(words, "linux")], { encoding: "utf8" });
  expect(printed).toBe(`${words.slice(2).join("|")}|`);
});

it("puts Windows paths with spaces between double quotes", () => {
  const words = ["claude", String.raw`C:\Program Files\nodejs\node.exe`, String.raw`D:\notes`];
  expect(commandLine(words, "win32")).toBe(
    String.raw`claude "C:\Program Files\nodejs\node.exe" D:\notes`,
  );
});
