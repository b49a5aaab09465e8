import { describe, expect, it } from "vitest";

import { descendants, firstOf, parseXml, textOf, type XmlElement } from "./xml-tree.ts";

const SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function read(xml: string): XmlElement {
  return parseXml(xml, "a document");
}

describe("the prefixes of XML", () => {
  it("are those that are usual for the format, in elements, attributes and declarations", () => {
    const root = read(
      `<x:workbook xmlns:x="${SHEET}" xmlns:ns1="${RELATIONS}"><x:sheet name="A" ns1:id="rId1"/></x:workbook>`,
    );
    expect(firstOf(root, "workbook")?.attributes).toEqual({ xmlns: SHEET, "xmlns:r": RELATIONS });
    expect(firstOf(root, "sheet")?.attributes).toEqual({ name: "A", "r:id": "rId1" });
  });

  it("are given to elements that have none", () => {
    const root = read(
      `<document xmlns="${WORD}"><body><p xmlns:q="${WORD}" q:id="1"/></body></document>`,
    );
    expect(firstOf(root, "w:p")?.attributes["w:id"]).toBe("1");
  });

  it("hold where they are declared, and no further", () => {
    const root = read(
      `<a><b xmlns:x="${WORD}"><x:t>in</x:t><c xmlns:x="urn:other"><x:t>not</x:t></c><x:t>again</x:t></b><x:t>out</x:t></a>`,
    );
    expect(descendants(root, "w:t").map(textOf)).toEqual(["in", "again"]);
    expect(descendants(root, "x:t").map(textOf)).toEqual(["not", "out"]);
  });

  it("stay as they are where they are the usual ones, not known, or not declared", () => {
    const xml = `<w:a xmlns:w="${WORD}" xmlns:z="urn:z" z:b="1"><z:c/><p:d/><e/></w:a>`;
    const root = read(xml);
    expect(root.children).toEqual([
      {
        name: "w:a",
        attributes: { "xmlns:w": WORD, "xmlns:z": "urn:z", "z:b": "1" },
        children: [
          { name: "z:c", attributes: {}, children: [] },
          { name: "p:d", attributes: {}, children: [] },
          { name: "e", attributes: {}, children: [] },
        ],
      },
    ]);
  });

  it("of another format are not taken for usual ones", () => {
    const root = read(
      `<v:a xmlns:v="${WORD}" xmlns:w="urn:other"><w:t>not</w:t><v:t>in</v:t></v:a>`,
    );
    expect(descendants(root, "w:t").map(textOf)).toEqual(["in"]);
  });
});
