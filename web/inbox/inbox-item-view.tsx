import { lazy, Suspense, useMemo, type ReactNode } from "react";

import type { InboxItemText } from "../../src/server/api/agent-contract.ts";
import type { ShownFile } from "../../src/server/api/contract.ts";
import { useAccess } from "../api/access.ts";
import { address, getJson, rawAddress } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useResource } from "../api/use-resource.ts";
import { WhyReadOnly } from "../app/why-read-only.tsx";
import { Link } from "../app/link.tsx";
import { fileAddress, inboxAddress } from "../app/addresses.ts";
import { meaningsOf } from "../links/link-meanings.ts";
import { useNoteLinks } from "../links/use-note-links.ts";
import { splitFrontmatter } from "../markdown/frontmatter.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { texts } from "../texts/texts.ts";
import { isImage, isMarkdown, nameOf } from "../tree/paths.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, NotLoaded } from "../ui/notice.tsx";
import { TickedText } from "../ui/ticked-text.tsx";
import { View } from "../ui/view.tsx";
import { useTidy } from "./use-tidy.ts";

/** Loaded with the first item of this kind: most are questions. */
const TidyProposals = lazy(async () => ({
  default: (await import("./tidy-proposals.tsx")).TidyProposals,
}));

/** One item: what was found out about it, what it is, and a way to answer. */
export function InboxItemView({ itemRef }: { readonly itemRef: string }): ReactNode {
  const { mayAdd } = useAccess();
  const { composer } = useServices();
  const { value, problem, reload } = useResource<InboxItemText>(
    itemRef,
    async (signal) => getJson(`/api/inbox/${encodeURIComponent(itemRef)}`, signal),
    ({ type }) => type === "inbox",
  );
  const tidy = useTidy().value;
  const back = (
    <Link
      to={inboxAddress()}
      className="rounded text-sm text-muted hover:text-accent hover:underline"
    >
      ← {texts.inbox.back}
    </Link>
  );
  if (value === null) {
    return (
      <View header={back}>
        {problem?.code === "not_found" ? (
          <Empty icon="check" title={texts.inbox.gone}>
            {texts.inbox.goneHint}
          </Empty>
        ) : (
          <NotLoaded problem={problem} onRetry={reload} />
        )}
      </View>
    );
  }
  if (tidy?.ref === itemRef)
    return (
      <View header={back}>
        <Suspense>
          <TidyProposals key={itemRef} tidy={tidy} />
        </Suspense>
      </View>
    );
  const { title, path, question, review, originals } = value;
  return (
    <View header={back}>
      <section
        aria-label={texts.inbox.question}
        className="mb-8 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-xl bg-accent-soft px-5 py-4"
      >
        <p className="min-w-48 flex-1 text-lg/snug font-medium">
          <TickedText text={question ?? title} />
        </p>
        {mayAdd ? (
          <Button look="solid" onClick={() => composer.answer({ ref: itemRef, title })}>
            <Icon name="pencil" />
            {texts.inbox.answer}
          </Button>
        ) : (
          <WhyReadOnly where="vault" />
        )}
      </section>
      {review === "" ? (
        <>
          <h1 className="text-2xl font-semibold tracking-tight">
            <TickedText text={title} />
          </h1>
          <p className="mt-2 text-muted">{texts.inbox.noReview}</p>
        </>
      ) : (
        <Markdown text={splitFrontmatter(review).body} file={`${path}review.md`} />
      )}
      <h2 className="mb-3 mt-10 text-sm font-semibold text-muted">{texts.inbox.originals}</h2>
      <ul className="space-y-3">
        {originals.map((original) => (
          <li key={original} className="rounded-xl border border-line bg-panel px-5 py-4">
            <Link
              to={fileAddress(original)}
              className="text-sm font-medium text-accent hover:underline"
            >
              {nameOf(original)}
            </Link>
            <Original path={original} />
          </li>
        ))}
      </ul>
    </View>
  );
}

function Original({ path }: { readonly path: string }): ReactNode {
  if (isImage(path)) {
    return <img src={rawAddress(path)} alt={nameOf(path)} className="mt-3 max-h-96 rounded-md" />;
  }
  return isMarkdown(path) ? <OriginalNote path={path} /> : null;
}

function OriginalNote({ path }: { readonly path: string }): ReactNode {
  const { value } = useResource<ShownFile>(path, async (signal) =>
    getJson(address("/api/file", { path }), signal),
  );
  const links = useNoteLinks(path);
  const meanings = useMemo(() => (links === null ? null : meaningsOf(links)), [links]);
  if (value === null) return null;
  return (
    <div className="mt-3">
      <Markdown text={splitFrontmatter(value.text).body} file={path} meanings={meanings} />
    </div>
  );
}
