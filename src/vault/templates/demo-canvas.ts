import { crc32, deflateSync } from "node:zlib";

export type Colour = readonly [red: number, green: number, blue: number];

/** Shapes are drawn this many times larger, then averaged, which smooths their edges. */
const scale = 3;

/** Just enough of a drawing surface for the demo. Lengths are in pixels of the final image. */
export class DemoCanvas {
  readonly #width: number;
  readonly #height: number;
  readonly #pixels: Uint8Array;

  constructor(width: number, height: number, background: Colour) {
    this.#width = width;
    this.#height = height;
    this.#pixels = new Uint8Array(width * height * scale * scale * 3);
    this.rect(0, 0, width, height, background);
  }

  rect(x: number, y: number, width: number, height: number, colour: Colour): void {
    this.#fill(x, y, width, height, colour, () => true);
  }

  circle(x: number, y: number, radius: number, colour: Colour): void {
    const inside = (px: number, py: number): boolean => Math.hypot(px - x, py - y) <= radius;
    this.#fill(x - radius, y - radius, 2 * radius, 2 * radius, colour, inside);
  }

  /** The quarter of a circle's line that lies above and to the right of its centre. */
  arc(x: number, y: number, radius: number, colour: Colour): void {
    const inside = (px: number, py: number): boolean =>
      Math.abs(Math.hypot(px - x, py - y) - radius + 0.75) <= 0.75;
    this.#fill(x, y - radius, radius, radius, colour, inside);
  }

  /** The picture as a PNG file, eight bits for each of red, green and blue. */
  png(): Uint8Array {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.#width, 0);
    header.writeUInt32BE(this.#height, 4);
    header.set([8, 2, 0, 0, 0], 8);
    const file = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk("IHDR", header),
      chunk("IDAT", deflateSync(this.#rows(), { level: 9 })),
      chunk("IEND", Buffer.alloc(0)),
    ]);
    return new Uint8Array(file);
  }

  #fill(
    x: number,
    y: number,
    width: number,
    height: number,
    colour: Colour,
    inside: (px: number, py: number) => boolean,
  ): void {
    const stride = this.#width * scale;
    const right = Math.min(stride, Math.round((x + width) * scale));
    const bottom = Math.min(this.#height * scale, Math.round((y + height) * scale));
    for (let row = Math.max(0, Math.round(y * scale)); row < bottom; row += 1) {
      for (let column = Math.max(0, Math.round(x * scale)); column < right; column += 1) {
        if (inside((column + 0.5) / scale, (row + 0.5) / scale)) {
          const at = (row * stride + column) * 3;
          this.#pixels[at] = colour[0];
          this.#pixels[at + 1] = colour[1];
          this.#pixels[at + 2] = colour[2];
        }
      }
    }
  }

  /** Scanlines of the final size, each after the byte that says it is not filtered. */
  #rows(): Uint8Array {
    const rows = new Uint8Array((this.#width * 3 + 1) * this.#height);
    let next = 0;
    for (let y = 0; y < this.#height; y += 1) {
      next += 1;
      for (let x = 0; x < this.#width; x += 1) {
        for (let channel = 0; channel < 3; channel += 1) {
          rows[next] = this.#average(x, y, channel);
          next += 1;
        }
      }
    }
    return rows;
  }

  #average(x: number, y: number, channel: number): number {
    let sum = 0;
    for (let row = y * scale; row < (y + 1) * scale; row += 1) {
      for (let column = x * scale; column < (x + 1) * scale; column += 1) {
        sum += this.#pixels[(row * this.#width * scale + column) * 3 + channel] ?? 0;
      }
    }
    return Math.round(sum / (scale * scale));
  }
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
