import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readCanvas } from "./canvas-model.ts";

const CANVAS = {
  nodes: [
    { id: "a", type: "text", x: 0, y: 0, width: 200, height: 100, text: "Oak" },
    {
      id: "b",
      type: "file",
      x: 300,
      y: 0,
      width: 200,
      height: 100,
      file: "oak.md",
      subpath: "#Age",
    },
    { id: "g", type: "group", x: -20, y: -20, width: 600, height: 200, label: "Trees" },
    { id: "z", type: "text", width: -4, height: 2 },
  ],
  edges: [
    { id: "e", fromNode: "a", fromSide: "right", toNode: "b", toSide: "left", label: "is" },
    { id: "f", fromNode: "a", toNode: "gone" },
    { id: "h", fromNode: "b", toNode: "a", fromEnd: "arrow", toEnd: "none", color: "#aa00ff" },
  ],
};

describe("a canvas", () => {
  it("is its cards with the groups behind them, and the lines between them", () => {
    const picture = readCanvas(JSON.stringify(CANVAS));
    expect(picture?.cards.map(({ id, text }) => [id, text])).toEqual([
      ["g", "Trees"],
      ["a", "Oak"],
      ["b", "oak.md#Age"],
    ]);
    expect(picture?.edges).toEqual([
      {
        id: "e",
        from: { x: 200, y: 50 },
        to: { x: 300, y: 50 },
        label: "is",
        arrows: { from: false, to: true },
        colour: "",
      },
      {
        id: "h",
        from: { x: 400, y: 50 },
        to: { x: 100, y: 50 },
        label: "",
        arrows: { from: true, to: false },
        colour: "#aa00ff",
      },
    ]);
    expect(picture?.box).toEqual([-60, -60, 680, 280]);
  });

  it("is empty, or none", () => {
    expect(readCanvas("")?.cards).toEqual([]);
    expect(readCanvas("{")).toBeNull();
    expect(readCanvas("[1]")).toBeNull();
  });

  it("is read whatever the JSON holds", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (nodes, edges) => {
        for (const value of [nodes, { nodes, edges }, { nodes: edges, edges: nodes }]) {
          const picture = readCanvas(JSON.stringify(value));
          for (const size of picture?.box ?? []) expect(Number.isFinite(size)).toBe(true);
        }
      }),
    );
  });
});
