/*
 * Every number that decides what a search finds and in which order. `npm run bench -- retrieval` measures a change of one on labelled questions.
 */

/** What a match in each column of FTS5 counts when it proposes candidates. */
export const FTS_COLUMN_WEIGHTS = { path: 1, name: 3, heading: 3, aside: 0.5, body: 1 };
/** The same for places, which are found by names and headings first, and by what stands in a text. */
export const PLACE_COLUMN_WEIGHTS = { path: 1, name: 1, heading: 10, aside: 0, body: 1 };
/** Candidates ranked for a query of `fast`, and of `deep`, where time matters less. */
export const FAST_CANDIDATES = 60;
export const DEEP_CANDIDATES = 200;
/** Rows that FTS5 may score in one search: it takes over a microsecond for each. */
export const MAX_SCORED_ROWS = 3000;
/**
 * When the rarest words have this many rows for each candidate that is wanted, those of the others are scored only where they stand together
 * with a rare one. A word that alone has more than twice as many is scored only where another word of the query stands beside it.
 */
export const ROWS_PER_CANDIDATE = 4;
/** Files whose names are most like the query, which are candidates whatever their texts say. */
export const NAMED_FILES = 8;
/** Of the files with words in their names that are too common to be scored, the shortest names among so many are taken. */
export const COMPARED_NAMES = 1000;
/** Rows taken unscored for words that are too common to be scored. */
export const UNSCORED_ROWS = 80;

/** Forms of a word that are searched for in each language, and what another form than the typed one counts. */
export const MAX_FORMS = 12;
export const OTHER_FORM = 0.85;

/** The parts of a chunk's score, as shares of their sum: BM25 over words and over grams, the words of the whole file, the query in names and headings, a heading like the query, nearness. */
export const WORDS = 0.42;
export const GRAMS = 0.42;
export const FILE = 0.3;
export const TITLE = 0.13;
export const HEADING = 0.06;
export const NEARNESS = 0.05;
/** How far a file with the very name that was asked for, and a chunk with the query exactly as typed, come towards the most there is. */
export const NAME = 0.6;
export const LITERAL = 0.35;
/** A name that is half like the query counts for this power of a half: only near ones are meant. */
export const NAME_POWER = 3;
/** A word in a name of the file, in a heading, in its tags, its path, or aside (frontmatter, targets of links) counts as this many more occurrences in the text. */
export const IN_NAME = 0.5;
export const IN_HEADING = 0.5;
export const IN_TAGS = 0.5;
export const IN_PATH = 0.1;
export const ASIDE = 0.2;
/** A line that stands alike in this many of the candidates' files tells none from the others; a chunk that has only such lines counts this much. */
export const REPEATED_IN_FILES = 5;
export const REPEATED_LINE = 0.3;
/** Characters within which two words of the query are near each other: about eight words. */
export const NEAR = 50;
/** A chunk with every word of the query scores at least this much, any other at most this much. */
export const COMPLETE = 0.5;
/** BM25's k1 and b. */
export const SATURATION = 1.2;
export const LENGTH_SHARE = 0.75;
export const FILE_LENGTH_SHARE = 0.5;
/** BM25's b for lines that are longer than those around them: it decides which lines are shown, not how a section ranks. */
export const LINE_LENGTH_SHARE = 0.5;
/** What a word counts when it stands again on the same line, and the share of the best line's score that a neighbour needs to be shown with it. */
export const REPEATED_ON_LINE = 0.2;
export const BEST_LINES_SHARE = 0.6;

/** What each further query that found a chunk adds, as a share of its score there. */
export const FURTHER_QUERY = 0.05;

/** What a corrected spelling counts beside a word as typed. */
export const CORRECTED_WORD = 0.5;

/** Hybrid search: how many results of each list are merged, how many nearest vectors are compared, and how many the reranker reads. */
export const HYBRID_CANDIDATES = 50;
export const NEAREST = 200;
export const RERANKED = 40;
/** What the model's own search for files counts beside those by words and by meaning, which count the same. */
export const BY_FILES = 0.05;
/** How many of the best by words tell how far the model can be trusted with a query. */
export const TRUSTED_BY = 5;
/** What results for another wording count beside those for the query as typed. */
export const OTHER_WORDING = 0.5;
/** How much of a result's place a reranker leaves: the higher it stood, the less the reranker may move it. */
export const KEPT_BY_RERANKER = { third: 0.75, tenth: 0.6, later: 0.4 };
/** A first result by words with this score settles the query; with this lead too, it needs no other wordings. */
export const STRONG_SCORE = 0.85;
export const STRONG_LEAD = 0.15;
