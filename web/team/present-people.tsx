import type { ReactNode } from "react";

import { useStore } from "../api/store.ts";
import { Avatar } from "./avatar.tsx";
import { present } from "./presence.ts";
import { teamTexts as texts } from "./team-texts.ts";

/** Named one by one; of more, only their number. */
const MOST = 4;

/** Who else is in a note right now. */
export function PresentPeople({ path }: { readonly path: string }): ReactNode {
  const others = useStore(present).filter((each) => each.path === path && !each.isSelf);
  if (others.length === 0) return null;
  const writing = others.filter(({ isEditing }) => isEditing);
  const said = (writing.length > 0 ? writing : others)[0];
  return (
    <div className="flex items-center gap-2 text-xs text-muted">
      <ul aria-label={texts.presence.label} className="flex gap-1">
        {others.slice(0, MOST).map(({ person, isEditing }) => {
          const says = isEditing ? texts.presence.writes : texts.presence.reads;
          return (
            <li key={person.id} title={says(person.name)}>
              <Avatar name={person.name} isActive={isEditing} />
              <span className="sr-only">{says(person.name)}</span>
            </li>
          );
        })}
      </ul>
      {others.length > MOST ? <span>{texts.presence.more(others.length - MOST)}</span> : null}
      {said === undefined || others.length > MOST ? null : (
        <span aria-hidden="true" className="max-w-48 truncate">
          {(said.isEditing ? texts.presence.writes : texts.presence.reads)(said.person.name)}
        </span>
      )}
    </div>
  );
}
