import { crc32, deflateSync, inflateSync } from "node:zlib";

/*
 * Screenshots have few colours: with a table of 256 of them they take a third of the space, and look the same.
 */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST = 256;
const RARE = 64;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB, row by row. */
  readonly colours: Uint32Array;
}

/** The same picture with a palette. For what Chromium makes: 8 bits a channel, not interlaced. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, colours } = decode(png);
  const palette = paletteOf(colours);
  const nearest = nearestIn(palette);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + 1 + x] = nearest(colours[y * width + x] ?? 0);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, which name a colour of the palette.
  header.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.from(palette.flatMap((each) => [each >> 16, (each >> 8) & 255, each & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", table),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function decode(png: Buffer): Pixels {
  const data: Buffer[] = [];
  let [width, height, channels] = [0, 0, 3];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = body[9] === 6 ? 4 : 3;
    } else if (type === "IDAT") data.push(body);
    at += length + 12;
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const colours = new Uint32Array(width * height);
  for (let at = 0; at < colours.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = bytes.subarray(at * channels, at * channels + 3);
    colours[at] = (red << 16) | (green << 8) | blue;
  }
  return { width, height, colours };
}

/** Each row is stored as what differs from the bytes to its left and above, in one of five ways. */
function unfiltered(raw: Buffer, stride: number, height: number, channels: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const way = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= channels ? (out[at - channels] ?? 0) : 0;
      const up = y > 0 ? (out[at - stride] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (out[at - stride - channels] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][way] ?? 0;
      out[at] = ((raw[y * (stride + 1) + 1 + x] ?? 0) + guess) & 255;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const sum = left + up - corner;
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Those that are used most, and a few that are used little but look like none of them: a small red dot stays red. */
function paletteOf(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const each of colours) counts.set(each, (counts.get(each) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const palette = sorted.slice(0, MOST - RARE).map(([colour]) => colour);
  const others = sorted.slice(MOST - RARE).map(([colour, count]) => ({
    colour,
    count,
    far: Math.min(...palette.map((each) => distance(each, colour))),
  }));
  while (palette.length < MOST) {
    let next = others[0];
    for (const each of others) {
      if (next === undefined || each.count * each.far > next.count * next.far) next = each;
    }
    if (next === undefined || next.far === 0) break;
    const { colour } = next;
    palette.push(colour);
    for (const each of others) each.far = Math.min(each.far, distance(colour, each.colour));
  }
  return palette;
}

function nearestIn(palette: readonly number[]): (colour: number) => number {
  const known = new Map(palette.map((each, at) => [each, at]));
  return (colour) => {
    const found = known.get(colour);
    if (found !== undefined) return found;
    const distances = palette.map((each) => distance(each, colour));
    const best = distances.indexOf(Math.min(...distances));
    known.set(colour, best);
    return best;
  };
}

function distance(a: number, b: number): number {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return red * red + green * green + blue * blue;
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(body.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}
