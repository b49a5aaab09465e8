import { useEffect, type ReactNode } from "react";

import type { PlacesAnswer } from "../../src/server/api/contract.ts";
import { address, getJson } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { useResource } from "../api/use-resource.ts";
import { fileAddress } from "../app/addresses.ts";
import { Link } from "../app/link.tsx";
import { texts } from "../texts/texts.ts";
import { foldText } from "../tree/fuzzy.ts";
import { nameOf, ROOT } from "../tree/paths.ts";

const MOST = 10;

/** Where nothing is, the notes that are called so: links by an alias, or in other letters, lead here from where their meaning is not known. */
export function AlikeNotes({ path }: { readonly path: string }): ReactNode {
  const { files } = useServices();
  const listed = useStore(files.files) ?? [];
  useEffect(() => files.want(), [files]);
  const name = nameOf(path).replace(/\.md$/iu, "");
  const { value } = useResource<PlacesAnswer>(`places ${name}`, async (signal) =>
    getJson(address("/api/places", { q: name, limit: MOST }), signal),
  );
  const isAlike = (text: string): boolean => folded(text) === folded(name);
  const named = listed.filter((file) => isAlike(nameOf(file.path).replace(/\.md$/iu, "")));
  const called = (value?.places ?? []).filter(({ kind, text }) => kind === "name" && isAlike(text));
  const found = [...new Set([...named, ...called].map((each) => each.path))].slice(0, MOST);
  if (found.length === 0) return null;
  return (
    <div className="mt-4">
      <p>{texts.links.alike}</p>
      <ul className="mt-1">
        {found.map((each) => (
          <li key={each}>
            <Link to={fileAddress(each)} className="inline-block py-1 text-accent hover:underline">
              {each.slice(ROOT.length)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function folded(text: string): string {
  return foldText(text.normalize("NFC"));
}
