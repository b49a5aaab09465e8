/*
 * The pieces of LaTeX that formulas of Office documents and of web pages are written with.
 */

const COMMANDS: readonly (readonly [string, string])[] = [
  [
    "αβγδεζηθικλμνξπρστυφχψω",
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega",
  ],
  ["ΓΔΘΛΞΠΣΥΦΨΩ", "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"],
  ["ϵϑϖϱςϕ", "varepsilon vartheta varpi varrho varsigma varphi"],
  [
    "∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂",
    "sum prod coprod int iint iiint oint bigcup bigcap bigvee bigwedge bigoplus bigotimes",
  ],
  ["±∓×÷⋅∗∘∙⊕⊗∪∩∧∨", "pm mp times div cdot ast circ bullet oplus otimes cup cap wedge vee"],
  ["≤≥≠≈≡∼≃≅∝≪≫≺≻", "leq geq neq approx equiv sim simeq cong propto ll gg prec succ"],
  ["∈∉∋⊂⊃⊆⊇∅∖", "in notin ni subset supset subseteq supseteq emptyset setminus"],
  [
    "→←↔⇒⇐⇔↦↑↓⟶⟹",
    "to leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow mapsto uparrow downarrow longrightarrow Longrightarrow",
  ],
  [
    "∞∂∇∀∃¬∠⊥∥√ℏℓℜℑℵ",
    "infty partial nabla forall exists neg angle perp parallel surd hbar ell Re Im aleph",
  ],
  ["ℝℕℤℚℂ", "mathbb{R} mathbb{N} mathbb{Z} mathbb{Q} mathbb{C}"],
  ["…⋯⋮⋱′″", "ldots cdots vdots ddots prime prime\\prime"],
  ["⌈⌉⌊⌋⟨⟩‖|", "lceil rceil lfloor rfloor langle rangle Vert vert"],
];

const SIGNS = new Map<string, string>([
  ...COMMANDS.flatMap(([signs, names]) => {
    const list = names.split(" ");
    return Array.from(signs, (sign, at) => [sign, `\\${list[at] ?? ""} `] as const);
  }),
  ["−", "-"],
  ["\u2061", ""],
  ["\u2062", ""],
  ["\u2063", ""],
  ["\u2064", ""],
  ["\u200b", ""],
  ["\u00a0", " "],
  ["\\", String.raw`\backslash `],
  ["~", String.raw`\sim `],
  ["^", String.raw`\hat{}`],
  ...Array.from("{}%$#&_", (sign) => [sign, `\\${sign}`] as const),
]);

const FUNCTIONS = new Set(
  "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp lim max min sup inf det dim ker gcd arg deg Pr limsup liminf".split(
    " ",
  ),
);

/** Letters, numbers and signs. */
export function latexText(text: string): string {
  // Mathematical letters (italic, bold) are the plain ones.
  const plain = text.normalize("NFKC").replaceAll(/\s+/gu, " ");
  return Array.from(plain, (sign) => SIGNS.get(sign) ?? sign).join("");
}

/** A name of several letters: a function that LaTeX knows, or upright. */
export function latexName(text: string): string {
  const name = text.trim();
  if (FUNCTIONS.has(name)) return `\\${name} `;
  return /^\p{L}{2,}$/u.test(name) ? `\\operatorname{${name}}` : latexText(name);
}

/** Words inside a formula. */
export function latexWords(text: string): string {
  const words = text.replaceAll(/\s+/gu, " ");
  return words.trim() === "" ? " " : `\\text{${words.replaceAll(/[\\{}$%#&_^~|]/gu, " ")}}`;
}

export const latexFraction = (top: string, bottom: string): string =>
  `\\frac{${top.trim()}}{${bottom.trim()}}`;

export const latexRoot = (inside: string, degree = ""): string =>
  degree.trim() === "" ? `\\sqrt{${inside.trim()}}` : `\\sqrt[${degree.trim()}]{${inside.trim()}}`;

/** A base with what is below and above it. */
export function latexScripts(base: string, below: string, above: string): string {
  const trimmed = base.trim();
  const isOne = /^(?:\\?[\p{L}\p{N}]+|.|\\operatorname\{\w+\})$/u.test(trimmed) && trimmed !== "";
  const isLarge = /^\\(?:sum|prod|int|iint|iiint|oint|bigcup|bigcap|lim|max|min|sup|inf)$/u.test(
    trimmed,
  );
  const shown = isOne || isLarge ? trimmed : `{${trimmed}}`;
  const sub = below.trim() === "" ? "" : `_{${below.trim()}}`;
  const sup = above.trim() === "" ? "" : `^{${above.trim()}}`;
  return `${shown}${sub}${sup}`;
}

const ACCENTS: Readonly<Record<string, string>> = {
  "\u0302": "hat",
  "^": "hat",
  ˆ: "hat",
  "\u0303": "tilde",
  "~": "tilde",
  "˜": "tilde",
  "\u0304": "bar",
  "\u0305": "overline",
  "¯": "bar",
  "‾": "overline",
  _: "underline",
  "\u0332": "underline",
  "\u0307": "dot",
  "˙": "dot",
  "\u0308": "ddot",
  "¨": "ddot",
  "\u20d7": "vec",
  "→": "vec",
  "⏞": "overbrace",
  "⏟": "underbrace",
};

/** The command of an accent; null when the sign is none. */
export function latexAccent(sign: string, inside: string): string | null {
  const name = ACCENTS[sign.trim()];
  return name === undefined ? null : `\\${name}{${inside.trim()}}`;
}

/** Brackets that grow with what is inside; empty ones are shown as nothing. */
export function latexFence(open: string, close: string, inside: string): string {
  const side = (sign: string): string => (sign.trim() === "" ? "." : latexText(sign).trim());
  return `\\left${side(open)} ${inside.trim()} \\right${side(close)}`;
}

export function latexMatrix(rows: readonly (readonly string[])[], kind = "matrix"): string {
  const lines = rows.map((row) => row.map((cell) => cell.trim()).join(" & "));
  return `\\begin{${kind}} ${lines.join(String.raw` \\ `)} \\end{${kind}}`;
}

/** One line, with single spaces. */
export function latexLine(latex: string): string {
  return latex
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/ (?=[}_^,)\]])/gu, "")
    .trim();
}
