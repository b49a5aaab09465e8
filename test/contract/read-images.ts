import { expect } from "vitest";

import type { Door } from "./doors.ts";
import type { DoorStatement } from "./statement.ts";
import { block, headers, IMAGES, numberedLines, onDisk } from "./vault.ts";

const base64 = (name: string): string => IMAGES[name]?.toString("base64") ?? "";
const PNG = base64("pictures/a.png");

async function expectImage({ ask }: Door, name: string): Promise<void> {
  const { images, isError } = await ask("read", { paths: `vault/${name}` });
  expect({ images, isError }).toEqual({ images: [base64(name)], isError: false });
}

/** Images among what `read` reads. */
export const READ_IMAGES: readonly DoorStatement[] = [
  ...Object.keys(IMAGES).map((name): DoorStatement => {
    const extension = name.slice(name.indexOf("."));
    return {
      states: `a ${extension} file is shown as an image`,
      check: async (door) => expectImage(door, name),
    };
  }),
  {
    states: "an image comes instead of numbered text",
    check: async ({ ask }) => {
      const { text, images } = await ask("read", { paths: "vault/pictures/a.png" });
      expect(images).toHaveLength(1);
      expect(numberedLines(text)).toEqual([]);
    },
  },
  {
    states: "an image is given as its own bytes, and no description of what is on it",
    check: async ({ ask }) => {
      const { text, images } = await ask("read", { paths: "vault/pictures/a.png" });
      expect(images).toEqual([PNG]);
      expect(text).toMatch(/^vault\/pictures\/a\.png \(image\/png, 640×400, \d+ kB\)$/u);
    },
  },
  {
    states: "head changes nothing of an image, and nothing is said about it",
    check: async ({ ask }) => {
      const plain = await ask("read", { paths: "vault/pictures/a.png" });
      expect(await ask("read", { paths: "vault/pictures/a.png", head: 1 })).toEqual(plain);
    },
  },
  {
    states: "tail changes nothing of an image, and nothing is said about it",
    check: async ({ ask }) => {
      const plain = await ask("read", { paths: "vault/pictures/a.png" });
      expect(await ask("read", { paths: "vault/pictures/a.png", tail: 1 })).toEqual(plain);
    },
  },
  {
    states: "head and tail together are an error for an image too",
    check: async ({ ask }) => {
      const { isError } = await ask("read", { paths: "vault/pictures/a.png", head: 1, tail: 1 });
      expect(isError).toBe(true);
    },
  },
  {
    states: "texts and images of one list come in one answer",
    check: async ({ ask, place }) => {
      const { text, images } = await ask("read", {
        paths: ["vault/uneven.txt", "vault/pictures/d.gif", "vault/bare.md"],
      });
      expect(images).toEqual([base64("pictures/d.gif")]);
      for (const name of ["uneven.txt", "bare.md"]) {
        expect(text).toContain(block(`vault/${name}`, onDisk(place, name)));
      }
    },
  },
  {
    states: "head counts for the texts of a list that has images",
    check: async ({ ask }) => {
      const paths = ["vault/uneven.txt", "vault/pictures/a.png"];
      const { text, images } = await ask("read", { paths, head: 3 });
      expect(headers(text)).toEqual(["vault/uneven.txt (lines 1-1 of 3)"]);
      expect(images).toEqual([PNG]);
    },
  },
  {
    states: "of a folder the images are shown and the notes are numbered",
    check: async ({ ask, place }) => {
      const { text, images } = await ask("read", { paths: "vault/mixed/" });
      expect(text).toContain(block("vault/mixed/note.md", onDisk(place, "mixed/note.md")));
      expect(images).toEqual([PNG]);
    },
  },
];
