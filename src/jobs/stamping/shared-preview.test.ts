import { expect, it } from "vitest";

import { SharedPreview } from "./shared-preview.ts";

/** A preview whose looks end when they are told to, with their number. */
function counted() {
  const looks: PromiseWithResolvers<number>[] = [];
  const preview = new SharedPreview(async () => {
    const look = Promise.withResolvers<number>();
    looks.push(look);
    return look.promise;
  });
  return { preview, looks };
}

it("looks once for all who ask while it runs, and after it until something changes", async () => {
  const { preview, looks } = counted();
  const asked = [preview.get(), preview.get()];
  // A change while it runs: it is shared all the same, and not kept.
  preview.outdate();
  asked.push(preview.get());
  expect(looks).toHaveLength(1);
  looks[0]?.resolve(1);
  expect(await Promise.all(asked)).toEqual([1, 1, 1]);
  const second = preview.get();
  expect(looks).toHaveLength(2);
  looks[1]?.resolve(2);
  expect(await second).toBe(2);
  expect(await preview.get()).toBe(2);
  preview.outdate();
  const third = preview.get();
  looks[2]?.resolve(3);
  expect(await third).toBe(3);
});

it("looks again after a failure, and beside one that was dropped", async () => {
  const { preview, looks } = counted();
  const failed = [preview.get(), preview.get()];
  looks[0]?.reject(new Error("away"));
  for (const each of failed) await expect(each).rejects.toThrow("away");
  const old = preview.get();
  preview.drop();
  const present = preview.get();
  looks[1]?.resolve(1);
  expect(await old).toBe(1);
  looks[2]?.resolve(2);
  expect(await present).toBe(2);
  expect(await preview.get()).toBe(2);
});
