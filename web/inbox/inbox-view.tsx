import type { ReactNode } from "react";

import { useAccess } from "../api/access.ts";
import { inboxAddress } from "../app/addresses.ts";
import { WhyReadOnly } from "../app/why-read-only.tsx";
import { Link } from "../app/link.tsx";
import { locale, texts } from "../texts/texts.ts";
import { formatDay } from "../ui/format.ts";
import { Empty, NotLoaded } from "../ui/notice.tsx";
import { TickedText } from "../ui/ticked-text.tsx";
import { View } from "../ui/view.tsx";
import { TidyBar } from "./tidy-bar.tsx";
import { useInbox } from "./use-inbox.ts";

/** What waits for an answer, oldest first. */
export function InboxView(): ReactNode {
  const { mayAdd } = useAccess();
  const { value, problem, reload } = useInbox();
  return (
    <View header={<h1 className="text-2xl font-semibold tracking-tight">{texts.inbox.title}</h1>}>
      {value === null ? (
        <NotLoaded problem={problem} onRetry={reload} />
      ) : value.items.length === 0 ? (
        <Empty icon="inbox" title={texts.inbox.empty}>
          {texts.inbox.emptyHint}
        </Empty>
      ) : (
        <ul className="space-y-3">
          {value.items.map((item) => (
            <li key={item.ref}>
              <Link
                to={inboxAddress(item.ref)}
                className="block rounded-xl border border-line bg-raised px-5 py-4 hover:border-strong-line"
              >
                <span className="flex items-baseline gap-3">
                  <span className="font-semibold">
                    <TickedText text={item.title} />
                  </span>
                  <span className="ml-auto shrink-0 text-xs text-muted">{dayOf(item.ref)}</span>
                </span>
                {item.question === null ? null : (
                  <span className="mt-1 block text-muted">
                    <TickedText text={item.question} />
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {mayAdd ? <TidyBar /> : <WhyReadOnly where="vault" />}
    </View>
  );
}

/** An item's name begins with the day it came. */
function dayOf(ref: string): string {
  const [day] = /^\d{4}-\d\d-\d\d/u.exec(ref) ?? [];
  return day === undefined ? "" : formatDay(new Date(`${day}T12:00:00`), locale);
}
