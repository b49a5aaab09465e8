import { type Colour, DemoCanvas } from "./demo-canvas.ts";

type Point = readonly [x: number, y: number];

const wall: Colour = [58, 64, 78];
const wood: Colour = [201, 160, 113];
const darkWood: Colour = [166, 124, 82];
const clay: Colour = [196, 112, 82];
const cream: Colour = [250, 244, 232];
const glass: Colour = [168, 214, 232];
const leaf: Colour = [104, 154, 108];
const steel: Colour = [128, 138, 150];
const wheelFloor: Colour = [236, 222, 196];
const tableFloor: Colour = [214, 228, 208];
const kilnFloor: Colour = [244, 208, 190];
const entranceFloor: Colour = [250, 232, 190];
const storeFloor: Colour = [210, 222, 236];

/**
 * The floor plan that the demo's site meeting talks of, as a PNG of 640 × 400. Rooms are numbered
 * rather than named, so that one image serves every language.
 */
export function demoImage(): Uint8Array {
  const canvas = new DemoCanvas(640, 400, [246, 241, 230]);
  drawQuay(canvas);
  drawBuilding(canvas);
  drawDoors(canvas);
  drawWheelRoom(canvas);
  drawTables(canvas);
  drawKilnAndStore(canvas);
  drawTeaCorner(canvas);
  drawNumber(canvas, 140, 54, [2, 6, 2, 2, 7]);
  drawNumber(canvas, 446, 54, [7, 1, 7, 4, 7]);
  drawNumber(canvas, 580, 136, [7, 1, 3, 1, 7]);
  drawNumber(canvas, 578, 314, [5, 5, 7, 1, 1]);
  drawNumber(canvas, 362, 214, [7, 4, 7, 1, 7]);
  return canvas.png();
}

function drawQuay(canvas: DemoCanvas): void {
  canvas.rect(0, 350, 640, 26, [214, 208, 196]);
  for (let x = 16; x < 640; x += 40) canvas.rect(x, 350, 1, 26, [196, 189, 176]);
  canvas.rect(0, 376, 640, 24, [126, 178, 204]);
  for (let x = 10; x < 640; x += 52) {
    canvas.rect(x, 383, 22, 2, [164, 205, 224]);
    canvas.rect(x + 24, 391, 22, 2, [164, 205, 224]);
  }
}

function drawBuilding(canvas: DemoCanvas): void {
  canvas.rect(26, 24, 592, 332, [204, 197, 184]);
  canvas.rect(20, 18, 592, 332, wall);
  canvas.rect(28, 26, 224, 316, wheelFloor);
  canvas.rect(257, 26, 213, 159, tableFloor);
  canvas.rect(475, 26, 129, 134, kilnFloor);
  canvas.rect(257, 190, 347, 152, entranceFloor);
  canvas.rect(475, 165, 129, 40, entranceFloor);
  canvas.rect(257, 190, 133, 95, wall);
  canvas.rect(257, 190, 128, 90, storeFloor);
  for (const x of [60, 160, 300, 385]) canvas.rect(x, 19, 56, 5, glass);
  for (const x of [80, 170, 500]) canvas.rect(x, 344, 56, 5, glass);
  canvas.rect(606, 226, 5, 60, glass);
}

/** The sliding door on the quay, the passages, and the back door, which opens the wrong way. */
function drawDoors(canvas: DemoCanvas): void {
  canvas.rect(330, 342, 100, 8, cream);
  canvas.rect(330, 343, 56, 2, wall);
  canvas.rect(374, 347, 56, 2, wall);
  canvas.rect(252, 294, 5, 38, wheelFloor);
  canvas.rect(416, 185, 40, 5, tableFloor);
  canvas.rect(486, 160, 34, 5, kilnFloor);
  canvas.rect(385, 240, 5, 32, storeFloor);
  canvas.rect(20, 296, 8, 36, cream);
  canvas.rect(28, 330, 36, 2, wall);
  canvas.arc(28, 332, 36, wall);
}

function drawWheelRoom(canvas: DemoCanvas): void {
  for (const y of [94, 152, 210, 268]) {
    for (const [x, stool] of [
      [92, 60],
      [188, 220],
    ] satisfies Point[]) {
      canvas.circle(stool, y, 9, darkWood);
      canvas.circle(stool, y, 7, wood);
      canvas.rect(x - 18, y - 18, 36, 36, steel);
      canvas.circle(x, y, 15, [222, 226, 230]);
      canvas.circle(x, y, 7, clay);
      canvas.circle(x, y, 3.5, [150, 80, 58]);
    }
  }
  canvas.rect(98, 308, 84, 22, darkWood);
  canvas.rect(100, 310, 80, 18, wood);
  for (let x = 110; x < 180; x += 15) canvas.circle(x, 319, 5, clay);
}

function drawTables(canvas: DemoCanvas): void {
  for (const y of [58, 122]) {
    for (let x = 296; x < 410; x += 32) {
      canvas.circle(x, y - 8, 7, darkWood);
      canvas.circle(x, y + 36, 7, darkWood);
    }
    canvas.rect(278, y, 132, 28, darkWood);
    canvas.rect(280, y + 2, 128, 24, wood);
    for (let x = 296; x < 410; x += 32) canvas.circle(x, y + 14, 5, cream);
  }
}

function drawKilnAndStore(canvas: DemoCanvas): void {
  canvas.rect(550, 78, 62, 10, [172, 178, 186]);
  canvas.rect(502, 48, 60, 66, steel);
  canvas.rect(507, 53, 50, 56, [92, 98, 110]);
  canvas.rect(513, 59, 38, 44, [236, 128, 62]);
  canvas.rect(520, 66, 24, 30, [252, 196, 96]);
  for (const y of [200, 228, 256]) {
    canvas.rect(265, y, 76, 15, wood);
    for (let x = 274; x < 340; x += 15) canvas.circle(x, y + 7.5, 4.5, cream);
  }
}

function drawTeaCorner(canvas: DemoCanvas): void {
  for (const [x, y] of [
    [450, 242],
    [546, 236],
    [504, 304],
  ] satisfies Point[]) {
    for (const offset of [-24, 24]) {
      canvas.circle(x + offset, y, 8, leaf);
      canvas.circle(x, y + offset, 8, leaf);
    }
    canvas.circle(x, y, 20, darkWood);
    canvas.circle(x, y, 18, wood);
    canvas.circle(x - 7, y - 3, 4, cream);
    canvas.circle(x + 6, y + 5, 4, cream);
  }
  for (const [x, y] of [
    [276, 320],
    [586, 184],
    [48, 46],
  ] satisfies Point[]) {
    canvas.circle(x, y, 12, [78, 124, 86]);
    canvas.circle(x, y, 7, leaf);
  }
}

/** A digit on a dark disc. Each row holds three pixels, the highest bit on the left. */
function drawNumber(canvas: DemoCanvas, x: number, y: number, rows: readonly number[]): void {
  canvas.circle(x, y, 15, wall);
  for (const [row, bits] of rows.entries()) {
    for (const column of [0, 1, 2]) {
      const lit = Math.floor(bits / 2 ** (2 - column)) % 2 === 1;
      if (lit) canvas.rect(x - 4.5 + column * 3, y - 7.5 + row * 3, 3, 3, cream);
    }
  }
}
