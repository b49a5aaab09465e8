import type { ReactNode } from "react";

import { BASE } from "../api/base.ts";
import { useStore } from "../api/store.ts";
import { Empty } from "../ui/notice.tsx";
import { closed } from "./me.ts";
import { teamTexts as texts } from "./team-texts.ts";

/** In place of the whole vault: whoever is here may not see it any more. */
export function ClosedView(): ReactNode {
  const isLogin = useStore(closed) === "login";
  const { closed: said } = texts;
  const link = isLogin ? `/login?${new URLSearchParams({ to: `${BASE}/` })}` : "/";
  return (
    <main className="grid h-dvh place-items-center bg-paper">
      <Empty icon="warning" title={isLogin ? said.login : said.none}>
        <p role="status">{isLogin ? said.loginHint : said.noneHint}</p>
        <p className="mt-4">
          <a href={link} className="text-accent underline">
            {isLogin ? said.loginAgain : texts.allVaults}
          </a>
        </p>
      </Empty>
    </main>
  );
}
