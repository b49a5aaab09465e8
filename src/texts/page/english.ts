import { englishWrite } from "./english-write.ts";

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** What is in a folder of notes that was there before. */
interface AdoptCounts {
  readonly notes: number;
  readonly stamped: number;
  readonly own_keys: number;
  readonly toml: number;
  readonly json: number;
  readonly invalid: number;
  readonly read_only: number;
}

export const english = {
  loading: "Loading…",
  skipToContent: "Skip to the content",
  nav: {
    label: "Vault",
    switcher: "Go to a note",
    commands: "Commands",
    home: "Overview",
    open: "Show the files",
    close: "Close",
    settings: "Settings",
    waiting: (count: number): string => plural(count, "item waits", "items wait"),
  },
  tree: {
    label: "Files",
    filter: "Filter files…",
    clear: "Clear the filter",
    none: "No path has these letters.",
    empty: "Nothing here yet.",
    justChanged: "just changed",
  },
  status: {
    label: "Status",
    index: (files: number): string => `${plural(files, "file", "files")} indexed`,
    pending: (count: number): string => `${plural(count, "file", "files")} to index`,
    indexing: (files: number, total: number): string =>
      `${files.toLocaleString("en")} of ${total.toLocaleString("en")} files indexed`,
    watching: "Watching for changes",
    notWatching: "Changes on disk may be seen late",
    model: (name: string): string => `Model ${name}`,
    noModel: "No model: kept and searched without one",
    spent: (tokens: string): string => `${tokens} tokens used by models today`,
    spentOf: (tokens: string, most: string): string =>
      `${tokens} of ${most} tokens used by models today`,
    spentAll: (tokens: string, most: string): string =>
      `${tokens} of ${most} tokens used: models are asked again tomorrow`,
    modelProblem: (name: string): string => `Model ${name} does not answer`,
    tidy: "Looked through for untidiness every day",
    queue: (count: number): string => plural(count, "update under way", "updates under way"),
  },
  connection: {
    lost: "The service does not answer. What you see may be out of date.",
    lostHint: "Trying again…",
    shutOut: "This browser is not let in any more.",
    shutOutHint: "Run coffre open for a new link.",
  },
  unknown: {
    title: "There is nothing at this address.",
    hint: "It may be mistyped, or of another version. The files are on the left; the search finds what is in them.",
  },
  problem: {
    badAnswer: (status: number): string =>
      `The service answered with an error (${status}). Try again; if it stays, its log says why.`,
    hints: {
      busy: "Try again in a moment.",
      conflict: "Look at it again, then repeat what you did.",
      disk_full: "Free some space, then try again.",
      no_permission: "Give the user that runs coffre the right to do this, then try again.",
      unavailable: "Try again in a moment. coffre doctor looks for the cause.",
    },
    title: "That did not work.",
    unreachable: "The service does not answer.",
    unreachableText: "Start it with coffre serve. The page goes on by itself.",
    retry: "Try again",
  },
  file: {
    noCanvas: "This canvas cannot be read. The line numbers show it as it is stored.",
    emptyCanvas: "This canvas has no cards.",
    path: "Path",
    numbers: "Line numbers",
    fileHistory: "History",
    original: "Open the original",
    tokens: (tokens: string): string => `${tokens} tokens`,
    created: "created",
    updated: "updated",
    notFound: "This file is not in the vault.",
    notFoundHint: "It may have been moved or deleted. The history can bring it back.",
    notText: "This file cannot be shown here.",
    empty: "This file is empty.",
    long: "A long file, shown as it is stored.",
  },
  links: {
    around: "Links",
    backlinks: (count: number): string =>
      count === 1 ? "Linked from one note" : `Linked from ${count} notes`,
    graph: "Notes around this one",
    to: "linked from here",
    from: "links here",
    both: "linked both ways",
    dead: "There is no such note yet. Click to create it.",
    more: (count: number): string => `and ${count.toLocaleString("en")} more`,
    alike: "Notes of this name:",
  },
  write: englishWrite,
  folder: {
    empty: "This folder is empty.",
    files: (count: number): string => plural(count, "file", "files"),
    name: "Name",
    tokens: "Tokens",
    changed: "Changed",
  },
  home: {
    recent: "Recently changed",
    waiting: "Waiting for you",
    nothingWaits: "Nothing waits for an answer.",
    welcome: "Your notes",
    counted: (files: number, folders: number, areKept: boolean): string =>
      folders === 0
        ? plural(files, "file", "files")
        : `${plural(files, "file", "files")} in ${plural(folders, "folder", "folders")}.${areKept ? " They stay as they are." : ""}`,
    steps: {
      search: "Search, or ask",
      searchHint: "Words find passages as you type; Enter asks a question.",
      add: "Add something",
      addWithModel:
        "Write below what happened. It is filed where it belongs, and one click takes it back.",
      addWithoutModel:
        "Write below what happened. It waits in the inbox, where you say in which folder it belongs.",
      browse: "Look around",
      overview: "Have this page say what you want",
      overviewHint: "A note overview.md at the root of the vault is shown here.",
    },
    noOverview: "This vault has no overview yet.",
  },
  adopt: {
    title: "These notes were here before coffre",
    explained:
      "They stay as they are. If you like, coffre writes three lines at the top of a note: when it was made, when it last changed, and how long it is.",
    choices: {
      own: "Only into notes that coffre makes",
      all: "Into all notes",
      none: "Into no note",
    },
    changes: (count: number): string =>
      count === 0
        ? "Nothing changes now."
        : `${plural(count, "note changes", "notes change")}; one undo takes all of it back.`,
    working: (done: number, total: number): string =>
      total === 0 ? "Working…" : `${done} of ${total} notes…`,
    done: (count: number): string =>
      count === 0
        ? "Done. No note had to be changed."
        : `Done: ${plural(count, "file was changed", "files were changed")}.`,
    examples: (count: number): string =>
      count === 1 ? "What a note would look like" : `What ${count} of the notes would look like`,
    found: (counts: AdoptCounts): string => {
      const { notes, stamped, own_keys: own } = counts;
      const left = counts.toml + counts.json + counts.invalid + counts.read_only;
      return [
        `${plural(notes, "note", "notes")} here.`,
        ...(stamped > 0 ? [`${stamped} with these lines already.`] : []),
        ...(own > 0 ? [`${own} with a line of that name of your own, which stays.`] : []),
        ...(left > 0 ? [`${left} left alone in any case.`] : []),
      ].join(" ");
    },
    undoing: (done: number, total: number): string =>
      total === 0 ? "Taking back…" : `Taking back: ${done} of ${total} files…`,
    undone: "Taken back.",
    skipped: (paths: readonly string[]): string =>
      `Left as they are, because they changed since: ${paths.slice(0, 10).join(", ")}${paths.length > 10 ? "…" : ""}`,
  },
  note: {
    diagram: "Diagram",
    noDiagram: "This diagram cannot be drawn; it is shown as it is written.",
    showPicture: (host: string): string => `show the image from ${host}`,
    noPicture: (host: string): string => `The image from ${host} could not be loaded`,
    noEmbed: "This part is not there.",
    taskDone: "done",
    taskOpen: "to do",
    footnotes: "Footnotes",
    footnoteBack: "Back to the text",
    table: "Table",
  },
  install: {
    title: "Install as an app",
    what: "With an icon and a window of its own. On a telephone, other apps can share texts, links and files with it.",
    install: "Install",
    ways: {
      button: "Your notes stay with the service: the app keeps none of them.",
      menu: "Your browser does it itself: look in its menu for “Install” or “Add to Home Screen”.",
      unsafe:
        "Browsers install pages only over HTTPS, or on the machine of the service itself, and this address is neither. A proxy with HTTPS in front of the service changes that; docs/several-people.md shows one.",
      installed: "This is the app.",
    },
  },
  search: {
    title: "Search",
    hint: "Type below to find passages as you type. Press Enter to ask a question.",
    found: (count: number, files: number): string =>
      `${plural(count, "passage", "passages")} in ${plural(files, "file", "files")}`,
    filters: "Filters",
    filter: { tag: "Tag", path: "Folder", date: "Date", property: "Property" },
    removeFilter: (filter: string): string => `Remove ${filter}`,
    addFilter: "Add",
    since: "since",
    until: "until",
    day: "Day",
    propertyKey: "Property",
    propertyValue: "Value",
    none: "Nothing in the vault has these words.",
    noneHint: "Try other words, or fewer of them.",
    ask: "Ask this question",
    asking: "Looking through the vault…",
    stop: "Stop",
    stopped: "Stopped.",
    answer: "Answer",
    sources: "Sources",
    passages: "Passages with these words",
    withoutModel: "No model is configured: these are the passages with your words.",
    older: (count: number): string =>
      `Since this answer, ${plural(count, "source has", "sources have")} moved or changed:`,
    states: {
      same: "same",
      moved: "moved to",
      changed: "changed",
      replaced: "replaced by",
      gone: "gone",
    },
    replaced: (date: string | null): string => (date === null ? "replaced" : `replaced ${date}`),
    noSource: (count: number): string =>
      `${plural(count, "sentence names", "sentences name")} no source.`,
    notInSources: "Not in the cited lines:",
  },
  steps: {
    tools: {
      tree: "Looks at the tree",
      read: "Reads",
      search: "Searches",
      concat: "Gathers the sources",
      write: "Writes",
      edit: "Edits",
      append: "Adds to",
      move: "Moves",
      delete: "Deletes",
    },
    thinks: "Thinks",
    retry: "The model did not answer, trying again",
  },
  composer: {
    preview: "Show me first",
    label: "Write or search",
    mode: "What to do",
    update: "Update",
    search: "Search",
    notePlaceholder: "What happened? What should be remembered?",
    answerPlaceholder: "Your answer",
    searchPlaceholder: "Search, or ask a question…",
    filters: "Filters",
    attach: "Attach files",
    detach: (name: string): string => `Remove ${name}`,
    send: "Send",
    ask: "Ask",
    sending: "Sending…",
    drop: "Drop files to attach them",
    answering: "Answering",
    stopAnswering: "Stop answering",
    tooLarge: "That is too large: a file may have 100 MB, all together 300 MB. Send less at once.",
    shared:
      "Shared from another app: it is only added to the inbox and buckets, nothing else is changed.",
    sharedIsMine: "These are my own words",
    sharedNothing: "Nothing arrived here. Share it once more.",
    shortcutSend: "to send",
    shortcutSearch: "to search",
    shortcutAsk: "to ask",
  },
  update: {
    label: "Updates",
    waiting: "Waits for its turn",
    running: "Being filed…",
    done: "Filed",
    parked: "Waits in the inbox",
    preview: "Shown first: waits for your yes",
    nothingYet: "Nothing is changed yet.",
    accept: "Make these changes",
    reject: "Discard",
    failed: "Failed",
    cancelled: "Cancelled",
    undone: "Undone",
    cancel: "Cancel",
    retry: "Try again",
    undo: "Undo",
    openInbox: "Open in the inbox",
    dismiss: "Dismiss",
    images: (count: number): string => plural(count, "image", "images"),
  },
  inbox: {
    title: "Inbox",
    empty: "Nothing waits for an answer.",
    emptyHint: "What cannot be filed without asking you comes here, with one question.",
    answer: "Answer",
    question: "Question",
    originals: "Originals",
    gone: "This item is not in the inbox any more.",
    goneHint: "It was answered, or moved.",
    back: "All items",
    noReview: "There is no review for this item.",
  },
  tidy: {
    title: "Tidying",
    hint: "Nothing is changed yet. Choose what shall be made; one Undo takes all of it back.",
    apply: (count: number): string => `Apply selected (${count})`,
    none: "Dismiss",
    notes: "To look at yourself",
    look: "Look for what is untidy",
    looking: "Looking…",
    daily: "Every day, when idle",
    nothing: "Nothing is untidy.",
  },
  history: {
    title: "History",
    of: "History of",
    run: (changes: number, files: number): string =>
      `One run: ${plural(changes, "change", "changes")} in ${plural(files, "file", "files")}`,
    showRun: "Show what the run changed",
    hideRun: "Hide what the run changed",
    all: "All changes",
    empty: "Nothing was changed yet.",
    emptyHint: "Every change made through coffre is kept here and can be undone.",
    created: "created",
    changed: "changed",
    moved: "moved",
    deleted: "deleted",
    restored: "restored",
    more: (count: number): string => `and ${count} more`,
    by: (actor: string): string => `by ${actor}`,
    undo: "Undo",
    undoAnyway: "Undo anyway",
    undoOf: (name: string): string => `Undo ${name}’s change`,
    undoes: "undoes a change",
    undoesOf: (name: string): string => `undoes a change by ${name}`,
    undone: "undone",
    show: "Show the change",
    hide: "Hide the change",
    diff: "Difference",
    added: "added",
    removed: "removed",
    older: "Show older changes",
    items: (count: number): string => plural(count, "file", "files"),
  },
};

/** What the page says. French has exactly the same. */
export type Texts = typeof english;
