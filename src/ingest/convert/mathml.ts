import {
  latexAccent,
  latexFence,
  latexFraction,
  latexLine,
  latexMatrix,
  latexName,
  latexRoot,
  latexScripts,
  latexText,
  latexWords,
} from "./latex.ts";
import { childElements, descendants, textOf, type XmlElement } from "./xml-tree.ts";

/**
 * A formula in MathML, as web pages and OpenDocument files have it, in LaTeX. Annotations are not taken: nobody sees them, so they need not
 * say what the formula does.
 */
export function mathmlToLatex(math: XmlElement): string {
  return latexLine(all(math));
}

function all(element: XmlElement): string {
  return childElements(element).map(one).join(" ");
}

function one(element: XmlElement): string {
  const name = element.name.replace(/^\w+:/u, "").toLowerCase();
  const parts = childElements(element);
  const part = (at: number): string => {
    const child = parts[at];
    return child === undefined ? "" : one(child);
  };
  switch (name) {
    case "mi":
      return latexName(textOf(element));
    case "mn":
      return latexText(textOf(element).trim());
    case "mo":
      return latexText(textOf(element).trim());
    case "mtext":
    case "ms":
      return latexWords(textOf(element));
    case "mspace":
      return " ";
    case "mphantom":
    case "annotation":
    case "annotation-xml":
      return "";
    case "semantics":
      return part(0);
    case "mfrac":
      return latexFraction(part(0), part(1));
    case "msqrt":
      return latexRoot(all(element));
    case "mroot":
      return latexRoot(part(0), part(1));
    case "msup":
      return latexScripts(part(0), "", part(1));
    case "msub":
      return latexScripts(part(0), part(1), "");
    case "msubsup":
    case "munderover":
      return latexScripts(part(0), part(1), part(2));
    case "munder":
    case "mover": {
      const sign = parts[1] === undefined ? "" : textOf(parts[1]);
      const accent = latexAccent(sign, part(0));
      if (accent !== null) return accent;
      return name === "munder"
        ? latexScripts(part(0), part(1), "")
        : latexScripts(part(0), "", part(1));
    }
    case "mfenced": {
      const { open = "(", close = ")", separators = "," } = element.attributes;
      return latexFence(open, close, parts.map(one).join(`${latexText(separators.slice(0, 1))} `));
    }
    case "mtable":
      return latexMatrix(
        descendants(element, element.name.replace(/mtable$/iu, "mtr")).map((row) =>
          childElements(row).map(all),
        ),
      );
    default:
      return parts.length === 0 ? latexText(textOf(element).trim()) : all(element);
  }
}
