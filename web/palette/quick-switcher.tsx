import { useEffect, useState, type ReactNode } from "react";

import type { PlacesAnswer } from "../../src/server/api/contract.ts";
import { address, getJson } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { fileAddress } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { Marked } from "../tree/filtered-files.tsx";
import { folderOf, nameOf, ROOT } from "../tree/paths.ts";
import { useFuzzyFiles } from "../tree/use-fuzzy-files.ts";
import { ChoiceList, type Choice } from "./choice-list.tsx";
import { Dialog } from "./dialog.tsx";
import { paletteTexts } from "./palette-texts.ts";
import { recentNotes } from "./recent-notes.ts";

const MOST_FILES = 30;
const MOST_PLACES = 15;

type Place = PlacesAnswer["places"][number];

/** Goes to a note by the letters of its path, by a name it gives itself, or to a section by its heading; at first, to those that were read last. */
export function QuickSwitcher({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { files, router } = useServices();
  const listed = useStore(files.files);
  const [text, setText] = useState("");
  const wanted = text.trim();
  const found = useFuzzyFiles(listed, wanted, MOST_FILES) ?? [];
  const places = usePlaces(wanted);
  useEffect(() => files.want(), [files]);

  const go = (where: string): void => {
    onClose();
    router.go(where);
  };
  const known = useStore(files.paths);
  // What was deleted or renamed since, or never there, is no note to go to.
  const there = recentNotes().filter((path) => known?.has(path) !== false);
  const recent = there.map((path): Choice => ({
    id: path,
    title: nameOf(path),
    detail: folderOf(path).slice(ROOT.length),
    run: () => go(fileAddress(path)),
  }));
  const named = places.filter(({ kind }) => kind === "name");
  const byName = named.map((place): Choice => ({
    id: `name ${place.path}`,
    title: place.text,
    detail: place.path.slice(ROOT.length),
    run: () => go(fileAddress(place.path)),
  }));
  const isNamed = new Set(named.map(({ path }) => path));
  const byPath = found
    .filter(({ path }) => !isNamed.has(path))
    .map(({ path, match }): Choice => ({
      id: path,
      title: <Marked text={path.slice(ROOT.length)} at={match.at} />,
      run: () => go(fileAddress(path)),
    }));
  const byHeading = places
    .filter(({ kind }) => kind === "heading")
    .map((place): Choice => ({
      id: `heading ${place.path} ${place.line}`,
      title: `# ${place.text}`,
      detail: place.path.slice(ROOT.length),
      run: () => go(fileAddress(place.path, { start: place.line, end: place.line })),
    }));
  const choices = wanted === "" ? recent : [...byName, ...byPath, ...byHeading];
  return (
    <Dialog label={texts.nav.switcher} onClose={onClose}>
      <ChoiceList
        placeholder={paletteTexts.switcherHint}
        text={text}
        onText={setText}
        choices={choices}
        none={wanted === "" ? paletteTexts.noRecent : paletteTexts.none}
      />
    </Dialog>
  );
}

/** What the service finds for a text; what it found last stays until the next answer. */
function usePlaces(wanted: string): readonly Place[] {
  const [places, setPlaces] = useState<readonly Place[]>([]);
  useEffect(() => {
    if (wanted === "") {
      setPlaces([]);
      return;
    }
    const abort = new AbortController();
    const find = async (): Promise<void> => {
      const where = address("/api/places", { q: wanted, limit: MOST_PLACES });
      const answer = await getJson<PlacesAnswer>(where, abort.signal);
      setPlaces(answer.places);
    };
    // Files are found without the service, too.
    find().catch(() => {});
    return () => abort.abort();
  }, [wanted]);
  return places;
}
