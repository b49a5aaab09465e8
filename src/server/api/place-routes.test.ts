import { expect, it } from "vitest";

import { startPage } from "../testing/page.ts";
import { PlacesAnswer, ValuesAnswer } from "./contract.ts";

const FILES = {
  "garden/oak.md":
    "---\naliases: [Quercus robur]\ntags: [tree, old]\nstatus: planted\n---\n\n# The oak\n\n## Watering plan\n\nDaily.\n",
  "elm.md": "---\ntags: [tree]\n---\n\n# The elm\n\n## Water\n\nNever.\n",
};

it("finds notes by name and alias, and sections by their heading, while they are typed", async () => {
  const page = await startPage({ files: FILES });
  const find = async (q: string): Promise<string[]> => {
    const { text } = await page.call(`/api/places?q=${encodeURIComponent(q)}`);
    const { places } = PlacesAnswer.parse(JSON.parse(text));
    return places.map(({ path, kind, text: called, line }) => `${kind} ${called} ${path}:${line}`);
  };
  await page.service.rescan();
  expect(await find("quer")).toEqual(["name Quercus robur vault/garden/oak.md:1"]);
  expect(await find("wat")).toEqual([
    "heading Water vault/elm.md:7",
    "heading Watering plan vault/garden/oak.md:9",
  ]);
  expect(await find("watering pl")).toEqual(["heading Watering plan vault/garden/oak.md:9"]);
  expect(await find('")(*')).toEqual([]);
  expect(await find("zebra")).toEqual([]);
});

it("lists what keys there are, and what values a key has, the most used first", async () => {
  const page = await startPage({ files: FILES });
  const values = async (query: string): Promise<unknown> => {
    const { text } = await page.call(`/api/properties?${query}`);
    return ValuesAnswer.parse(JSON.parse(text)).values;
  };
  await page.service.rescan();
  expect(await values("key=tag")).toEqual([
    { value: "tree", files: 2 },
    { value: "old", files: 1 },
  ]);
  expect(await values("key=tag&q=o")).toEqual([{ value: "old", files: 1 }]);
  expect(await values("q=stat")).toEqual([{ value: "status", files: 1 }]);
});
