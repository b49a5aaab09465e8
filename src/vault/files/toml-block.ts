import { findBetween, type FrontmatterBlock } from "./frontmatter.ts";

const FIRST_LINE = /^\+\+\+[ \t]*\r?\n/u;
const LAST_LINE = /^\+\+\+[ \t]*\r?$/u;

/** Front matter in TOML at the start of a text, as Hugo and Zola read it: found and left out of headings as YAML is, never written. */
export function findTomlBlock(text: string): FrontmatterBlock | null {
  return findBetween(text, FIRST_LINE, LAST_LINE);
}
