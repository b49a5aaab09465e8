export type FrontmatterKind = "yaml" | "toml";

const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'[^']*')/u;
/** With a space behind the sign too, so that `#tag` and `C #1` stay. */
const YAML_COMMENT = /(?:^|\s)#(?:\s.*)?$/u;

/** A value of one line without the comment behind it. */
export function withoutComment(written: string, kind: FrontmatterKind): string {
  const quoted = QUOTED.exec(written)?.[0];
  if (quoted !== undefined && /^\s*(?:#|$)/u.test(written.slice(quoted.length))) return quoted;
  if (kind === "yaml") return written.replace(YAML_COMMENT, "").trim();
  const comment = quoted === undefined ? written.indexOf("#") : -1;
  return comment < 0 ? written : written.slice(0, comment).trim();
}

/** A list in brackets, over as many lines as it takes. */
export class FlowList {
  readonly items: string[] = [];
  readonly #kind: FrontmatterKind;
  #item = "";
  #depth = 0;
  /** The sign that ends the quotes one is in. */
  #quote = "";

  constructor(kind: FrontmatterKind) {
    this.#kind = kind;
  }

  /** Reads one more line. @returns what stands behind the closing bracket, without a comment; null while the list is open */
  read(line: string): string | null {
    for (let at = 0; at < line.length; at += 1) {
      const sign = line[at] ?? "";
      if (this.#quote !== "") {
        this.#item += sign;
        if (sign === this.#quote) this.#quote = "";
        else if (sign === "\\" && this.#quote === '"') {
          at += 1;
          this.#item += line[at] ?? "";
        }
        continue;
      }
      if (sign === "#" && this.#isComment(line, at)) break;
      if (this.#takes(sign)) this.#item += sign;
      if (this.#depth === 0) return withoutComment(line.slice(at + 1).trim(), this.#kind);
    }
    this.#take();
    return null;
  }

  /** What it has when no closing bracket comes. */
  unclosed(): readonly string[] {
    this.#quote = "";
    this.#depth = 1;
    this.#take();
    return this.items;
  }

  /** Whether a sign outside of quotes is a part of an item. */
  #takes(sign: string): boolean {
    if (sign === "[" || sign === "{") {
      this.#depth += 1;
      return this.#depth > 1;
    }
    if (sign === "]" || sign === "}") this.#depth -= 1;
    const isEnd = this.#depth === 0 || (sign === "," && this.#depth === 1);
    if (isEnd) this.#take();
    else if ((sign === '"' || sign === "'") && this.#item.trim() === "") this.#quote = sign;
    return !isEnd;
  }

  #isComment(line: string, at: number): boolean {
    const isApart = /\s/u.test(line[at - 1] ?? " ") && /\s/u.test(line[at + 1] ?? " ");
    return isApart || this.#kind === "toml";
  }

  #take(): void {
    if (this.#quote === "" && this.#depth <= 1) {
      if (this.#item.trim() !== "") this.items.push(this.#item.trim());
      this.#item = "";
    } else this.#item += " ";
  }
}
