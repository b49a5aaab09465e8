import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { startModelServer, type ModelServerManners } from "../../testing/models/model-server.ts";
import { Random } from "../../testing/random.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { download } from "./download.ts";

const dice = new Random(5);
const model = Buffer.concat([
  Buffer.from("GGUF"),
  Buffer.from(Uint8Array.from({ length: 300_000 }, () => dice.below(256))),
]);

async function begin(manners: ModelServerManners = {}) {
  const server = await startModelServer(model, manners);
  const folder = temporaryFolder();
  const file = path.join(folder, "models", "m.gguf");
  const fetchIt = async (
    onProgress?: (done: number, total: number | null) => void,
  ): Promise<void> =>
    download({ url: `${server.url}/m.gguf`, file, ...(onProgress && { onProgress }) });
  return { server, file, fetchIt, left: () => readdirSync(path.dirname(file)) };
}

describe("fetching a model", () => {
  it("puts the whole file in place, and says how far it is", async () => {
    const { file, fetchIt, left } = await begin();
    const seen: [number, number | null][] = [];
    await fetchIt((done, total) => void seen.push([done, total]));
    expect(readFileSync(file).equals(model)).toBe(true);
    expect(seen.at(-1)).toEqual([model.length, model.length]);
    expect(left()).toEqual(["m.gguf"]);
  });

  it("takes a broken connection up again where it broke", async () => {
    const { server, file, fetchIt } = await begin({ breakAfter: 120_000 });
    await fetchIt();
    expect(readFileSync(file).equals(model)).toBe(true);
    const ranges = server.asked.filter((asked) => asked.startsWith("GET /store"));
    expect(ranges.length).toBeGreaterThan(2);
    expect(ranges.at(-1)).toMatch(/bytes=[1-9]\d*-$/u);
  });

  it("goes on where an earlier run was stopped", async () => {
    const { server, file, fetchIt, left } = await begin({ breakAfter: 0 });
    server.manners.breakAfter = 100_000;
    const stopped = fetchIt(() => {
      server.manners.breakAfter = 0;
    });
    await expect(stopped).rejects.toMatchObject({ code: "unavailable" });
    expect(left()).toEqual([expect.stringMatching(/^m\.gguf\..*\.part$/u)]);
    delete server.manners.breakAfter;
    server.asked.length = 0;
    await fetchIt();
    expect(readFileSync(file).equals(model)).toBe(true);
    expect(server.asked.at(-1)).toMatch(/bytes=[1-9]\d*-$/u);
  });

  it("begins again with a server that knows no ranges", async () => {
    const { server, file, fetchIt } = await begin({ noRanges: true, breakAfter: 100_000 });
    await fetchIt(() => {
      if (server.asked.length > 4) delete server.manners.breakAfter;
    }).catch(() => {});
    delete server.manners.breakAfter;
    await fetchIt();
    expect(readFileSync(file).equals(model)).toBe(true);
  });

  it.each([
    [{ wrongChecksum: true }, "its checksum differs"],
    [{ instead: "<html>Please log in</html>" }, "bytes, not 300004"],
  ])("takes nothing that is not the model: %j", async (manners, why) => {
    const { fetchIt, left } = await begin(manners);
    await expect(fetchIt()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(why),
    });
    expect(left()).toEqual([]);
  });

  it("says so when there is no such model, or no way to it", async () => {
    const { server, file } = await begin();
    const missing = download({ url: `${server.url}/nothing.gguf`, file });
    await expect(missing).rejects.toThrow("answered 404. Is the model's name right?");
    const away = download({ url: "http://127.0.0.1:1/m.gguf", file });
    await expect(away).rejects.toThrow("127.0.0.1:1 cannot be reached");
  });
});
