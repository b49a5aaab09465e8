import type { ReactNode } from "react";

import { useStore } from "../../api/store.ts";
import { Link } from "../../app/link.tsx";
import { Empty, Loading } from "../../ui/notice.tsx";
import { View } from "../../ui/view.tsx";
import { AuditPart } from "./audit-part.tsx";
import { me } from "../me.ts";
import { PeoplePart } from "./people-part.tsx";
import { PARTS, settingsAddress, type Part } from "../settings-address.ts";
import { teamTexts as texts } from "../team-texts.ts";
import { YouPart } from "./you-part.tsx";

/** Who may do what in this vault, and with what: for everybody about themselves, for owners about all. */
export function SettingsView({ part }: { readonly part: string }): ReactNode {
  const who = useStore(me);
  const shown = PARTS.find((name) => name === part) ?? "you";
  const isOwner = who?.isOwner === true;
  return (
    <View
      header={
        <>
          <h1 className="text-2xl font-semibold tracking-tight">{texts.settings.label}</h1>
          {isOwner ? <Parts shown={shown} /> : null}
        </>
      }
    >
      {who === null ? (
        <Loading />
      ) : shown === "you" ? (
        <YouPart who={who} />
      ) : !isOwner ? (
        <Empty icon="warning" title={texts.settings.ownersOnly} />
      ) : shown === "people" ? (
        <PeoplePart self={who.person?.id ?? null} />
      ) : (
        <AuditPart />
      )}
    </View>
  );
}

function Parts({ shown }: { readonly shown: Part }): ReactNode {
  return (
    <nav aria-label={texts.settings.label} className="ml-auto flex rounded-lg bg-code p-0.5">
      {PARTS.map((part) => (
        <Link
          key={part}
          to={settingsAddress(part)}
          aria-current={part === shown ? "page" : undefined}
          className="inline-flex h-8 items-center rounded-md px-3 text-sm text-muted hover:text-ink aria-[current]:bg-chosen aria-[current]:font-medium aria-[current]:text-ink aria-[current]:shadow-sm"
        >
          {texts.settings[part]}
        </Link>
      ))}
    </nav>
  );
}
