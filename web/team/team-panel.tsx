import type { ReactNode } from "react";

import { useStore } from "../api/store.ts";
import { Link } from "../app/link.tsx";
import { problemOf } from "../api/problem.ts";
import { showToast } from "../ui/toasts.tsx";
import { Avatar } from "./avatar.tsx";
import { me } from "./me.ts";
import { SETTINGS } from "./settings-address.ts";
import { logOut } from "./team-api.ts";
import { teamTexts as texts } from "./team-texts.ts";

const LINK = "rounded hover:text-accent hover:underline";

/** Who is at the page, and what they may do. */
export function TeamPanel(): ReactNode {
  const who = useStore(me);
  if (who === null) return null;
  const { person, role, folders, operator } = who;
  const name = person?.name ?? texts.operator;
  const leave = async (): Promise<void> => {
    try {
      await logOut();
    } catch (error) {
      showToast({ text: problemOf(error).message });
    }
  };
  return (
    <section aria-label={texts.settings.you} className="border-t border-line px-4 py-3 text-sm">
      <div className="flex items-center gap-2.5">
        {person === null ? null : <Avatar name={name} />}
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{name}</p>
          {operator ? null : (
            <p className="truncate text-xs text-muted">
              {role === "none" && folders.length > 0 ? texts.you.folders : texts.roles[role]}
            </p>
          )}
        </div>
        <Link to={SETTINGS} className={`shrink-0 text-muted ${LINK}`}>
          {texts.settings.label}
        </Link>
      </div>
      <p className="mt-2 flex gap-x-4 text-xs text-muted">
        <a href="/" className={LINK}>
          {texts.allVaults}
        </a>
        <button type="button" className={LINK} onClick={() => void leave()}>
          {texts.logOut}
        </button>
      </p>
    </section>
  );
}
