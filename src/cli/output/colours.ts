import type { Colouring } from "./screen.ts";

/** For somebody's text, which needs no colour and no translation. */
export const asWritten: Colouring = (text) => text;

/** Tokens and times recede, names stay. */
export const treeColours: Colouring = (text, paint) =>
  text.replaceAll(/\[[^\][]*\]$/gmu, (facts) => paint("dim", facts));

/** A block's header stands out. Content lines start with their number, so only fences start with backticks. */
export const blockColours: Colouring = (text, paint) =>
  text.replaceAll(/^```(.*)$/gmu, (fence, header: string) =>
    header === "" ? paint("dim", fence) : `${paint("dim", "```")}${paint("bold", header)}`,
  );

export const diffColours: Colouring = (text, paint) =>
  text
    .split("\n")
    .map((line) => {
      if (/^(?:change |--- |\+\+\+ )/u.test(line)) return paint("bold", line);
      if (line.startsWith("@@")) return paint("cyan", line);
      if (line.startsWith("+")) return paint("green", line);
      return line.startsWith("-") ? paint("red", line) : line;
    })
    .join("\n");

/** The id that is copied into the next command. */
export const logColours: Colouring = (text, paint) =>
  text.replaceAll(/^\S+/gmu, (id) => paint("cyan", id));
