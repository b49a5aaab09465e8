/**
 * Vaults, their files and their history. Every table has the vault first in its key: nothing of one vault is read for another, and vaults can
 * be divided among several databases. Paths are compared by their bytes (`COLLATE "C"`), whatever the locale of the server.
 */
const VAULTS = `
  CREATE TABLE vaults (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    -- Counts changes; locking this row is what makes them one at a time.
    seq bigint NOT NULL DEFAULT 0,
    -- Of all files, as they are now.
    bytes bigint NOT NULL DEFAULT 0,
    -- When its history was last pruned, in milliseconds since 1970.
    pruned bigint
  );
  CREATE TABLE blobs (
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE,
    hash text COLLATE "C" NOT NULL, part integer NOT NULL, bytes bytea NOT NULL,
    PRIMARY KEY (vault, hash, part)
  );
  -- They are compressed already.
  ALTER TABLE blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;
  CREATE TABLE tree (
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE,
    path text COLLATE "C" NOT NULL, parent text COLLATE "C" NOT NULL,
    is_folder boolean NOT NULL,
    hash text COLLATE "C", size bigint NOT NULL DEFAULT 0,
    -- Of the person's part of the text.
    version text COLLATE "C",
    modified double precision NOT NULL, created double precision NOT NULL,
    content text, tokens integer NOT NULL DEFAULT 0, updated text, width integer, height integer,
    PRIMARY KEY (vault, path),
    CHECK (path <> ''), CHECK (is_folder = (hash IS NULL))
  );
  CREATE INDEX tree_parent ON tree (vault, parent);
  CREATE INDEX tree_hash ON tree (vault, hash) WHERE hash IS NOT NULL;
  CREATE TABLE entries (
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE, seq bigint NOT NULL,
    id text COLLATE "C" NOT NULL, at bigint NOT NULL, actor text NOT NULL, call text NOT NULL,
    batch text COLLATE "C", undoes text COLLATE "C", pinned boolean NOT NULL DEFAULT false,
    PRIMARY KEY (vault, seq), UNIQUE (vault, id)
  );
  CREATE INDEX entries_batch ON entries (vault, batch) WHERE batch IS NOT NULL;
  CREATE INDEX entries_undoes ON entries (vault, undoes) WHERE undoes IS NOT NULL;
  CREATE TABLE changes (
    vault integer NOT NULL, seq bigint NOT NULL, n integer NOT NULL,
    path text COLLATE "C" NOT NULL, to_path text COLLATE "C", detail text NOT NULL,
    PRIMARY KEY (vault, seq, n),
    FOREIGN KEY (vault, seq) REFERENCES entries ON DELETE CASCADE
  );
  CREATE INDEX changes_path ON changes (vault, path);
  CREATE TABLE uses (
    vault integer NOT NULL, seq bigint NOT NULL, blob text COLLATE "C" NOT NULL,
    PRIMARY KEY (vault, seq, blob),
    FOREIGN KEY (vault, seq) REFERENCES entries ON DELETE CASCADE
  );
  CREATE INDEX uses_blob ON uses (vault, blob);
`;

/**
 * The search index. Our own words are the lexemes, so that PostgreSQL finds what our ranking compares. The index of words has no pending list
 * (`fastupdate`), which every search would have to read. Stems are the same for all vaults; only the counts are of one.
 */
const INDEX = `
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  CREATE TABLE files (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE,
    path text COLLATE "C" NOT NULL, folded text COLLATE "C" NOT NULL, updated text COLLATE "C", signature text NOT NULL,
    names text NOT NULL, tags text NOT NULL, title text, facts text NOT NULL, bytes bigint NOT NULL,
    frontmatter integer NOT NULL, tsv tsvector NOT NULL,
    UNIQUE (vault, path)
  );
  CREATE INDEX files_tsv ON files USING gin (vault, tsv) WITH (fastupdate = off);
  CREATE TABLE chunks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    vault integer NOT NULL, file bigint NOT NULL REFERENCES files ON DELETE CASCADE,
    path text COLLATE "C" NOT NULL,
    start integer NOT NULL, "end" integer NOT NULL, headings text NOT NULL, day text COLLATE "C",
    hash text NOT NULL, meaning text NOT NULL, skip integer NOT NULL, aside text NOT NULL, words text NOT NULL,
    text text NOT NULL, tsv tsvector NOT NULL
  );
  CREATE INDEX chunks_file ON chunks (file);
  CREATE INDEX chunks_tsv ON chunks USING gin (vault, tsv) WITH (fastupdate = off);
  CREATE TABLE properties (
    vault integer NOT NULL, key text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL,
    file bigint NOT NULL REFERENCES files ON DELETE CASCADE, chunk bigint NOT NULL
  );
  CREATE INDEX properties_key ON properties (vault, key);
  CREATE INDEX properties_file ON properties (file);
  CREATE TABLE links (
    vault integer NOT NULL, file bigint NOT NULL REFERENCES files ON DELETE CASCADE, place integer NOT NULL,
    line integer NOT NULL, kind text NOT NULL, embed boolean NOT NULL, target text NOT NULL, fragment text, key text COLLATE "C" NOT NULL,
    PRIMARY KEY (file, place)
  );
  CREATE INDEX links_to ON links USING hash (key);
  CREATE INDEX links_of ON links (vault);
  CREATE TABLE link_names (
    vault integer NOT NULL, file bigint NOT NULL REFERENCES files ON DELETE CASCADE,
    key text COLLATE "C" NOT NULL, alias boolean NOT NULL
  );
  CREATE INDEX link_names_key ON link_names USING hash (key);
  CREATE INDEX link_names_file ON link_names (file);
  CREATE TABLE replaces (
    vault integer NOT NULL, file bigint NOT NULL REFERENCES files ON DELETE CASCADE, place integer NOT NULL,
    line integer NOT NULL, target text NOT NULL, headings text NOT NULL, value text, key text COLLATE "C" NOT NULL,
    PRIMARY KEY (file, place)
  );
  CREATE INDEX replaces_key ON replaces (vault);
  CREATE TABLE stems (word text COLLATE "C" PRIMARY KEY, fr text COLLATE "C" NOT NULL, en text COLLATE "C" NOT NULL);
  CREATE INDEX stems_fr ON stems (fr);
  CREATE INDEX stems_en ON stems (en);
  CREATE TABLE word_counts (
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE, word text COLLATE "C" NOT NULL, chunks integer NOT NULL,
    PRIMARY KEY (vault, word)
  ) WITH (fillfactor = 80);
  CREATE TABLE index_counts (
    vault integer PRIMARY KEY REFERENCES vaults ON DELETE CASCADE,
    files bigint NOT NULL, chunks bigint NOT NULL, bytes bigint NOT NULL
  );
`;

/**
 * What replicas share while they serve: the queue of each vault, what clients have read, their MCP sessions, what happened, settings, and
 * codes that let a browser in. What clients have read is not in the log of the database (`UNLOGGED`): after a crash of the server it is empty,
 * and clients read again.
 */
const RUNNING = `
  CREATE SEQUENCE update_turns;
  CREATE TABLE updates (
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL, turn bigint NOT NULL DEFAULT nextval('update_turns'),
    status text NOT NULL, input text NOT NULL, attempts integer NOT NULL DEFAULT 0, crashes integer NOT NULL DEFAULT 0,
    created bigint NOT NULL, started bigint, ended bigint, report text, error text,
    -- The queue that runs it, and until when nobody else may; by the clock of the database.
    runner text COLLATE "C", lease timestamptz, cancelled boolean NOT NULL DEFAULT false,
    PRIMARY KEY (vault, id)
  );
  CREATE INDEX updates_turn ON updates (vault, status, turn);
  -- One at a time, whatever a program does.
  CREATE UNIQUE INDEX updates_running ON updates (vault) WHERE status = 'running';
  CREATE INDEX updates_open ON updates (status) WHERE status IN ('waiting', 'running');
  CREATE UNLOGGED TABLE reads (
    vault integer NOT NULL, session text COLLATE "C" NOT NULL, path text COLLATE "C" NOT NULL,
    signature text NOT NULL, hash text, at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (vault, session, path)
  );
  CREATE INDEX reads_at ON reads (at);
  CREATE TABLE mcp_sessions (
    vault integer NOT NULL, profile text NOT NULL, id text COLLATE "C" NOT NULL,
    url text NOT NULL, headers text NOT NULL, body text NOT NULL, used timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (vault, profile, id)
  );
  CREATE INDEX mcp_sessions_used ON mcp_sessions (used);
  CREATE TABLE events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE, at timestamptz NOT NULL DEFAULT now(),
    changed text[] NOT NULL, created text[] NOT NULL, gone text[] NOT NULL
  );
  CREATE INDEX events_of ON events (vault, id);
  CREATE INDEX events_at ON events (at);
  CREATE TABLE vault_settings (
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE, key text NOT NULL, value text NOT NULL,
    PRIMARY KEY (vault, key)
  );
  CREATE TABLE spending (
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE, day text COLLATE "C" NOT NULL,
    input bigint NOT NULL, output bigint NOT NULL, cached bigint NOT NULL,
    PRIMARY KEY (vault, day)
  );
  CREATE TABLE login_codes (digest text COLLATE "C" PRIMARY KEY, until timestamptz NOT NULL);
`;

/** Imports from a folder on a disk. */
const IMPORTS = `
  -- The folder whose import was begun and is not finished.
  ALTER TABLE vaults ADD COLUMN importing text;
  -- The name on the disk it came from, where it differs from that in the path.
  ALTER TABLE tree ADD COLUMN on_disk text;
`;

/**
 * People and what they may do. Of every secret only its SHA-256 is kept. Times are milliseconds since 1970. The audit is no part of the
 * history: it names people who are gone, and no undo or erasure of notes touches it.
 */
const PEOPLE = `
  CREATE TABLE people (
    id text COLLATE "C" PRIMARY KEY, name text NOT NULL, email text COLLATE "C" UNIQUE,
    -- Who they are for the provider that they log in with.
    issuer text COLLATE "C", subject text COLLATE "C",
    created bigint NOT NULL, disabled bigint,
    UNIQUE (issuer, subject), CHECK ((issuer IS NULL) = (subject IS NULL))
  );
  CREATE TABLE tokens (
    id text COLLATE "C" PRIMARY KEY, person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
    sha256 bytea NOT NULL, name text NOT NULL, scopes text[] NOT NULL,
    -- Only this vault, and only this folder of it.
    vault integer REFERENCES vaults ON DELETE CASCADE, folder text COLLATE "C",
    created bigint NOT NULL, expires bigint NOT NULL, last_used bigint, revoked bigint,
    CHECK (folder IS NULL OR vault IS NOT NULL)
  );
  CREATE INDEX tokens_person ON tokens (person);
  CREATE TABLE grants (
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE,
    person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
    folder text COLLATE "C" NOT NULL, role text NOT NULL CHECK (role IN ('none', 'viewer', 'editor', 'owner')),
    PRIMARY KEY (vault, person, folder), CHECK (folder = '' OR role <> 'owner')
  );
  CREATE INDEX grants_person ON grants (person);
  CREATE TABLE invitations (
    id text COLLATE "C" PRIMARY KEY, sha256 bytea NOT NULL,
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE, role text NOT NULL,
    -- Whom it is for, when that is somebody known already.
    person text COLLATE "C" REFERENCES people ON DELETE CASCADE, email text COLLATE "C",
    invited_by text COLLATE "C" REFERENCES people ON DELETE SET NULL,
    created bigint NOT NULL, expires bigint NOT NULL, used bigint, revoked bigint
  );
  CREATE TABLE sessions (
    id text COLLATE "C" PRIMARY KEY, person text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
    sha256 bytea NOT NULL, created bigint NOT NULL, expires bigint NOT NULL, last_used bigint NOT NULL, ended bigint
  );
  CREATE INDEX sessions_person ON sessions (person);
  -- Logins that were begun with a provider and have not come back.
  CREATE TABLE logins (
    state bytea PRIMARY KEY, browser bytea NOT NULL, nonce text NOT NULL, verifier text NOT NULL, return_to text NOT NULL, expires bigint NOT NULL
  );
  CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL,
    vault text COLLATE "C", person text COLLATE "C", person_name text, credential text, client text, call text NOT NULL,
    paths text[] NOT NULL, batch text, address text, outcome text NOT NULL
  );
  CREATE INDEX audit_vault ON audit (vault, id);
  CREATE INDEX audit_person ON audit (person, id);
`;

/** Whose what replicas share is, where several people use them; null for whoever runs the service. */
const CALLERS = `
  ALTER TABLE updates ADD COLUMN asker text COLLATE "C";
  CREATE INDEX updates_asker ON updates (vault, asker) WHERE asker IS NOT NULL;
  ALTER TABLE mcp_sessions ADD COLUMN person text COLLATE "C";
`;

/** Who is in which note right now: nothing that must survive a crash of the server. */
const PRESENCE = `
  CREATE UNLOGGED TABLE presence (
    vault integer NOT NULL, person text COLLATE "C" NOT NULL, "window" text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL, is_editing boolean NOT NULL, until timestamptz NOT NULL,
    PRIMARY KEY (vault, person, "window")
  );
`;

/** What tells a history with gaps from a damaged one. */
const GAPS = `
  -- Entries up to this number need not lead from version to version: they were imported, or parts of them were erased.
  ALTER TABLE vaults ADD COLUMN gaps_until bigint NOT NULL DEFAULT 0;
`;

/** Changes that are tried before they are made: the copies of an overlay are the files of a vault without an address. */
const OVERLAYS = `
  ALTER TABLE vaults ADD COLUMN made timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN overlay_of integer REFERENCES vaults ON DELETE CASCADE, ADD COLUMN overlay text COLLATE "C",
    ADD CHECK ((overlay IS NULL) = (overlay_of IS NULL));
  CREATE UNIQUE INDEX vaults_overlays ON vaults (overlay_of, overlay) WHERE overlay_of IS NOT NULL;
  -- Files that were copied from the vault below, with the hash of the person's part of each.
  CREATE TABLE overlay_copies (
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE, path text COLLATE "C" NOT NULL, version text NOT NULL,
    PRIMARY KEY (vault, path)
  );
  -- New files that are too large for the history.
  CREATE TABLE overlay_blobs (
    vault integer NOT NULL REFERENCES vaults ON DELETE CASCADE, version text NOT NULL, blob text COLLATE "C" NOT NULL,
    PRIMARY KEY (vault, version)
  );
  CREATE INDEX overlay_blobs_blob ON overlay_blobs (vault, blob);
`;

/** Indexes that were made by other rules are made again when their vault is opened; a later change of rules sets `index_outdated` again. */
const INDEX_RULES = `
  ALTER TABLE vaults ADD COLUMN index_outdated boolean NOT NULL DEFAULT true;
  ALTER TABLE vaults ALTER COLUMN index_outdated SET DEFAULT false;
`;

/** Letters that only a mark tells from others are words of their own, and frontmatter is read in more of its forms. */
const INDEX_RULES_OF_LETTERS = "UPDATE vaults SET index_outdated = true";

/** Whether a note says of itself that it is private, as it was when it was written; null for files from before, which are read for it. */
const PRIVATE_NOTES = "ALTER TABLE tree ADD COLUMN is_private boolean";

/** What the runs of updates tell while they go on, for those who follow them on other replicas: nothing that must survive a crash. */
const STEPS = `
  CREATE UNLOGGED TABLE update_steps (
    id bigint GENERATED ALWAYS AS IDENTITY, vault integer NOT NULL, of_update text COLLATE "C" NOT NULL,
    -- The process that runs it, which hears it by itself; and the rights of the run: whoever has less is not told.
    runner text COLLATE "C" NOT NULL, event text NOT NULL, rights text, at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (vault, of_update, id)
  );
  CREATE INDEX update_steps_at ON update_steps (at);
`;

/** The statements that lead from each version of the schema to the next; only ever append. */
export const MIGRATIONS: readonly string[] = [
  VAULTS,
  INDEX,
  RUNNING,
  IMPORTS,
  PEOPLE,
  GAPS,
  OVERLAYS,
  CALLERS,
  PRESENCE,
  INDEX_RULES,
  INDEX_RULES_OF_LETTERS,
  PRIVATE_NOTES,
  STEPS,
];
