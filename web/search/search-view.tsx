import { useMemo, type ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { texts } from "../texts/texts.ts";
import { Empty, Failed, Loading } from "../ui/notice.tsx";
import { View } from "../ui/view.tsx";
import { Answer } from "./answer.tsx";
import { queryWords } from "./highlight-words.ts";
import { FilterBar } from "./filter-bar.tsx";
import { FileResults } from "./passage.tsx";
import { splitQuery } from "./query-filters.ts";
import { usePassages } from "./use-passages.ts";

/** What the words in the input find, and the answer to the question that was asked with them. */
export function SearchView({ query }: { readonly query: string }): ReactNode {
  const { ask } = useServices();
  const asked = useStore(ask.asked);
  const isAsked = asked !== null && asked.question === query.trim();
  return (
    <View header={null}>
      {isAsked ? (
        <Answer asked={asked} />
      ) : (
        <>
          <FilterBar query={query} />
          <Results query={query} />
        </>
      )}
    </View>
  );
}

function Results({ query }: { readonly query: string }): ReactNode {
  const passages = usePassages(query);
  const words = useMemo(() => queryWords(passages?.query ?? ""), [passages]);
  const byFile = useMemo(
    () => [...Map.groupBy(passages?.results ?? [], ({ path }) => path)],
    [passages],
  );
  if (splitQuery(query).isEmpty) {
    return (
      <Empty icon="search" title={texts.search.title}>
        {texts.search.hint}
      </Empty>
    );
  }
  if (passages === null) return <Loading />;
  if (passages.problem !== null) return <Failed problem={passages.problem} />;
  const { results } = passages;
  return (
    <section aria-label={texts.search.passages}>
      <h1 role="status" className="mb-3 text-sm font-semibold text-muted">
        {results.length === 0 ? "" : texts.search.found(results.length, byFile.length)}
      </h1>
      {results.length === 0 ? (
        <Empty icon="search" title={texts.search.none}>
          {texts.search.noneHint}
        </Empty>
      ) : (
        byFile.map(([path, found]) => (
          <FileResults key={path} path={path} results={found} words={words} />
        ))
      )}
    </section>
  );
}
