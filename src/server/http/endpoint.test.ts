import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { giveAway } from "../../testing/ordinary-user.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { prepareEndpoint } from "./endpoint.ts";

const OURS = `coffre-${process.geteuid?.()}`;

/** A state folder with a short path, and one whose path is too long for a socket. */
function folders(): { temporary: string; short: string; long: string } {
  const temporary = temporaryFolder();
  const [short, long] = [path.join(temporary, "s"), path.join(temporary, "état".repeat(25))];
  for (const folder of [short, long]) mkdirSync(folder);
  return { temporary, short, long };
}

describe("the place of a socket", () => {
  it("is in the state folder, in a folder that only this user can enter", () => {
    const { short } = folders();
    const endpoint = prepareEndpoint(short);
    expect(path.dirname(path.dirname(endpoint))).toBe(short);
    expect(lstatSync(path.dirname(endpoint)).mode & 0o777).toBe(0o700);
    expect(prepareEndpoint(short)).toBe(endpoint);
  });

  it("is in a temporary folder of this user when its path would be too long", () => {
    const { long, temporary } = folders();
    const endpoint = prepareEndpoint(long, temporary);
    expect(path.dirname(endpoint)).toBe(path.join(temporary, OURS));
    expect(Buffer.byteLength(endpoint)).toBeLessThanOrEqual(100);
    expect(lstatSync(path.dirname(endpoint)).mode & 0o777).toBe(0o700);
    expect(prepareEndpoint(long, temporary)).toBe(endpoint);
  });

  it("differs from vault to vault there", () => {
    const { long, temporary } = folders();
    const other = `${long}2`;
    expect(prepareEndpoint(long, temporary)).not.toBe(prepareEndpoint(other, temporary));
  });

  it("is counted in bytes, up to a hundred", () => {
    const { temporary } = folders();
    const room = 100 - Buffer.byteLength(path.join(temporary, "/run/coffre.sock"));
    const fits = path.join(temporary, "x".repeat(room - 1));
    const accents = path.join(temporary, `é${"x".repeat(room - 2)}`);
    for (const folder of [fits, accents]) mkdirSync(folder);
    expect(prepareEndpoint(fits, temporary)).toBe(path.join(fits, "run", "coffre.sock"));
    expect(path.dirname(prepareEndpoint(accents, temporary))).toBe(path.join(temporary, OURS));
  });

  it("is refused when the temporary folder's path is too long as well", async () => {
    const { long } = folders();
    const refusal = await refusalOf(() => prepareEndpoint(long, long));
    expect(refusal?.code).toBe("unavailable");
    expect(refusal?.message).toContain("--state");
  });

  it("loses what a killed owner left there", () => {
    const { short } = folders();
    const endpoint = prepareEndpoint(short);
    writeFileSync(endpoint, "");
    prepareEndpoint(short);
    expect(existsSync(endpoint)).toBe(false);
  });
});

describe("a folder in its place that is not ours alone", () => {
  it.each([
    ["others can enter", (place: string) => (mkdirSync(place), chmodSync(place, 0o755))],
    ["is a file", (place: string) => writeFileSync(place, "", { mode: 0o700 })],
    [
      "is a link",
      (place: string) => {
        mkdirSync(`${place}-elsewhere`, { mode: 0o700 });
        symlinkSync(`${place}-elsewhere`, place);
      },
    ],
  ])("is not used when it %s", async (_, plant) => {
    const { short, long, temporary } = folders();
    plant(path.join(short, "run"));
    plant(path.join(temporary, OURS));
    for (const state of [short, long]) {
      const refusal = await refusalOf(() => prepareEndpoint(state, temporary));
      expect(refusal?.code).toBe("no_permission");
      expect(refusal?.message).toContain("Remove it");
    }
  });

  it("is not used when it is another user's", async () => {
    const { long, temporary } = folders();
    const place = path.join(temporary, OURS);
    mkdirSync(place, { mode: 0o700 });
    // Only root can give something away: for others, a folder of root's stands in.
    if (process.getuid?.() === 0) giveAway(place, 65_534);
    else {
      rmdirSync(place);
      symlinkSync("/root", place);
    }
    const refusal = await refusalOf(() => prepareEndpoint(long, temporary));
    expect(refusal?.code).toBe("no_permission");
  });
});
