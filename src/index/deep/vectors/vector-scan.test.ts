import { expect, it, onTestFinished } from "vitest";

import { Random } from "../../../testing/random.ts";
import { VectorScan } from "./vector-scan.ts";

it("finds the nearest of the rows it may look at, in another thread", async () => {
  const dice = new Random(3);
  const [dimensions, count] = [37, 500];
  const matrix = new SharedArrayBuffer(dimensions * count * 4);
  const values = new Float32Array(matrix);
  for (const at of values.keys()) values[at] = dice.next() - 0.5;
  const query = Float32Array.from({ length: dimensions }, () => dice.next() - 0.5);
  const rows = Uint32Array.from({ length: count }, (_, row) => row).filter((row) => row % 3 > 0);
  const scan = new VectorScan();
  onTestFinished(() => scan.close());
  const found = await scan.nearest({ matrix, dimensions, query, rows, most: 20 });
  const plain = [...rows]
    .map((row) => ({
      row,
      score: query.reduce(
        (sum, value, at) => sum + value * (values[row * dimensions + at] ?? 0),
        0,
      ),
    }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 20);
  expect([...found.places].map((place) => rows[place])).toEqual(plain.map(({ row }) => row));
  for (const [at, { score }] of plain.entries()) expect(found.scores[at]).toBeCloseTo(score, 5);
});

it("fails what waits when it is closed", async () => {
  const scan = new VectorScan();
  const matrix = new SharedArrayBuffer(64 * 1024 * 1024);
  const rows = Uint32Array.from({ length: 1024 * 1024 }, (_, row) => row);
  const asked = scan.nearest({
    matrix,
    dimensions: 16,
    query: new Float32Array(16),
    rows,
    most: 5,
  });
  const [outcome] = await Promise.allSettled([asked, scan.close()]);
  expect(outcome).toMatchObject({ status: "rejected" });
});
