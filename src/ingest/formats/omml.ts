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
} from "../convert/latex.ts";
import {
  childElements,
  descendants,
  firstOf,
  textOf,
  type XmlElement,
} from "../convert/xml-tree.ts";

/** A formula of a Word or PowerPoint document (`m:oMath`) in LaTeX. */
export function ommlToLatex(math: XmlElement): string {
  return latexLine(all(math));
}

function all(element: XmlElement): string {
  return childElements(element).map(one).join(" ");
}

/** The value of a property such as `m:chr` of `m:naryPr`. */
function property(element: XmlElement, name: string): string | undefined {
  const properties = childElements(element).find((child) => child.name === `${element.name}Pr`);
  const found = properties === undefined ? undefined : firstOf(properties, name);
  return found === undefined ? undefined : (found.attributes["m:val"] ?? "");
}

function one(element: XmlElement): string {
  const part = (name: string): string => {
    const child = childElements(element).find((each) => each.name === name);
    return child === undefined ? "" : all(child);
  };
  const parts = (name: string): XmlElement[] =>
    childElements(element).filter((child) => child.name === name);
  switch (element.name) {
    case "m:r":
      return runText(element);
    case "m:f":
      return property(element, "m:type") === "lin"
        ? `${part("m:num")}/${part("m:den")}`
        : latexFraction(part("m:num"), part("m:den"));
    case "m:sSup":
      return latexScripts(part("m:e"), "", part("m:sup"));
    case "m:sSub":
      return latexScripts(part("m:e"), part("m:sub"), "");
    case "m:sSubSup":
      return latexScripts(part("m:e"), part("m:sub"), part("m:sup"));
    case "m:sPre":
      return `${latexScripts("{}", part("m:sub"), part("m:sup"))} ${part("m:e")}`;
    case "m:rad":
      return latexRoot(part("m:e"), part("m:deg"));
    case "m:nary": {
      const sign = latexText(property(element, "m:chr") ?? "∫").trim();
      return `${latexScripts(sign, part("m:sub"), part("m:sup"))} ${part("m:e")}`;
    }
    case "m:d": {
      const separator = ` ${latexText(property(element, "m:sepChr") ?? "|")} `;
      const inside = parts("m:e").map(all).join(separator);
      return latexFence(
        property(element, "m:begChr") ?? "(",
        property(element, "m:endChr") ?? ")",
        inside,
      );
    }
    case "m:m":
      return latexMatrix(
        parts("m:mr").map((row) =>
          childElements(row)
            .filter(({ name }) => name === "m:e")
            .map(all),
        ),
      );
    case "m:eqArr":
      return latexMatrix(
        parts("m:e").map((line) => [all(line)]),
        "aligned",
      );
    case "m:func":
      return `${part("m:fName")} ${part("m:e")}`;
    case "m:acc":
      return latexAccent(property(element, "m:chr") ?? "\u0302", part("m:e")) ?? part("m:e");
    case "m:bar": {
      const isBelow = property(element, "m:pos") === "bot";
      return `\\${isBelow ? "underline" : "overline"}{${part("m:e").trim()}}`;
    }
    case "m:groupChr":
      return latexAccent(property(element, "m:chr") ?? "⏟", part("m:e")) ?? part("m:e");
    case "m:limLow":
      return latexScripts(part("m:e"), part("m:lim"), "");
    case "m:limUpp":
      return latexScripts(part("m:e"), "", part("m:lim"));
    case "m:phant":
      return "";
    default:
      return element.name.endsWith("Pr") ? "" : all(element);
  }
}

function runText(run: XmlElement): string {
  const text = descendants(run, "m:t").map(textOf).join("");
  const isWords = firstOf(run, "m:nor") !== undefined;
  if (isWords) return latexWords(text);
  return firstOf(run, "m:sty")?.attributes["m:val"] === "p" ? latexName(text) : latexText(text);
}
