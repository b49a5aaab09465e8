/*
 * Every number that decides what a search finds and in which order. `npm run bench -- retrieval` measures a change of one on labelled questions.
 */

/** What a match in each column of FTS5 counts when it proposes candidates. */
export const FTS_COLUMN_WEIGHTS = { path: 1.5, heading: 3, body: 1 };
/** Candidates ranked for a query of `fast`, and of `deep`, where time matters less. */
export const FAST_CANDIDATES = 60;
export const EXPANSION_CANDIDATES = 200;
/** Rows that FTS5 may score in one search: it takes over a microsecond for each. */
export const MAX_SCORED_ROWS = 3000;
/** Rows taken unscored for words that are too common to be scored. */
export const UNSCORED_ROWS = 80;

/** Forms of a word that are searched for in each language, and what another form than the typed one counts. */
export const MAX_FORMS = 12;
export const OTHER_FORM = 0.85;

/** The parts of a chunk's score: they add up to 1, except for a chunk that has the query exactly as typed. */
export const WORDS = 0.42;
export const GRAMS = 0.42;
export const TITLE = 0.13;
export const NEARNESS = 0.03;
export const LITERAL = 0.25;
/** A word in the title or path counts as this many more occurrences in the text. */
export const IN_TITLE = 0.5;
/** Characters within which two words of the query are near each other: about eight words. */
export const NEAR = 50;
/** A chunk with every word of the query scores at least this much, any other at most this much. */
export const COMPLETE = 0.5;
/** BM25's k1 and b. */
export const SATURATION = 1.2;
export const LENGTH_SHARE = 0.75;
/** What a word counts when it stands again on the same line, and the share of the best line's score that a neighbour needs to be shown with it. */
export const REPEATED_ON_LINE = 0.2;
export const BEST_LINES_SHARE = 0.6;

/** How far the best other chunk of the same file lifts a chunk towards the most it can score. */
export const SIBLING = 0.3;
/** What each further query that found a chunk adds, as a share of its score there. */
export const FURTHER_QUERY = 0.05;

/** Expansion: the best results that are read for further words, how many words are taken, and how much more than one result's worth they need. */
export const FEEDBACK_RESULTS = 6;
export const FEEDBACK_WORDS = 8;
export const FEEDBACK_AGREEMENT = 1.2;
/** What the rank in the expanded search counts beside the rank in the plain one: it decides between near equals and adds what the plain one lacks. */
export const EXPANDED_RANK = 0.06;
/** What a corrected spelling counts beside a word as typed. */
export const CORRECTED_WORD = 0.5;

/** The constant of reciprocal rank fusion, for ranks from 0: within a search by words, and between searches by words and by meaning. */
export const WORD_RANK_SMOOTHING = 60;
export const HYBRID_RANK_SMOOTHING = 61;

/** Hybrid search: how many results of each list are merged, and how many the reranker reads. */
export const HYBRID_CANDIDATES = 50;
export const RERANKED = 40;
/** What results for the query as typed count beside those for another wording. */
export const TYPED_QUERY = 2;
export const OTHER_WORDING = 1;
/** A first result by words with this score and lead needs no other wordings. */
export const STRONG_SCORE = 0.85;
export const STRONG_LEAD = 0.15;
