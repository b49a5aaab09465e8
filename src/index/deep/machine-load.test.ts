import { expect, it } from "vitest";

import { MachineLoad } from "./machine-load.ts";

it("is busy when others take more than half of the machine, whatever this process takes", () => {
  let reading = { total: 0, idle: 0, own: 0 };
  const load = new MachineLoad(() => reading);
  const after = (idle: number, own: number): boolean => {
    reading = {
      total: reading.total + 1000,
      idle: reading.idle + idle,
      own: reading.own + own,
    };
    return load.isBusy();
  };
  expect(after(900, 50)).toBe(false);
  expect(after(100, 850)).toBe(false);
  expect(after(100, 50)).toBe(true);
  // Asked again at once, it does not guess again.
  expect(load.isBusy()).toBe(true);
  expect(after(1000, 0)).toBe(false);
});

it("reads the machine it runs on", () => {
  expect(typeof new MachineLoad().isBusy()).toBe("boolean");
});
