const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** What the page says while one writes. */
export const englishWrite = {
  edit: "Edit",
  done: "Done",
  text: "Text of the note",
  clean: "Saved",
  dirty: "Not saved yet",
  saving: "Saving…",
  away: "The service does not answer. What you write is kept in this browser, and saved when it is back.",
  awayOnly: "The service does not answer. What you write is saved when it is back.",
  failed: (why: string, isKept: boolean): string =>
    `Not saved: ${why}${isKept ? " What you write is kept in this browser." : ""}`,
  notKept:
    "This browser has no room left to keep what you write. Leave this page open until it is saved, or copy your text.",
  leftSaved: (names: readonly string[]): string =>
    `What you wrote before is saved now: ${names.join(", ")}.`,
  leftWaiting: (name: string, others: number): string =>
    `What you wrote in ${name}${others === 0 ? "" : ` and ${plural(others, "other note", "other notes")}`} is not saved yet.`,
  openDraft: "Open",
  merged: "Somebody else changed this note. Both changes are in it.",
  conflict: "Somebody else changed the same lines. Nothing was overwritten.",
  showConflict: "Show both",
  eachConflict: "Choose for each. What either of you changed elsewhere stays.",
  mine: "Yours",
  theirs: "Theirs",
  keepMine: "Keep mine",
  keepTheirs: "Take theirs",
  keepBoth: "Keep both",
  gone: "This note is no longer in the vault. What you wrote is kept in this browser.",
  again: "Create it again",
  draft: "What you wrote before is back.",
  image: "The picture could not be put into the note:",
  create: "Create this note",
  newNote: "New note",
  newName: "Name of the new note",
  move: "Move or rename",
  newPath: "New path",
  moveNow: "Move",
  cancel: "Cancel",
  remove: "Delete",
  removed: (name: string): string => `${name} was deleted.`,
  moved: (name: string, links: number): string =>
    links === 0
      ? `Moved to ${name}.`
      : `Moved to ${name}; ${plural(links, "link", "links")} rewritten.`,
  linksLeft: (count: number, where: readonly string[]): string =>
    `${plural(count, "link", "links")} to the old path could not be changed: ${where.slice(0, 5).join(", ")}${where.length > 5 ? ` and ${where.length - 5} more` : ""}.`,
  undo: "Undo",
  undone: "Undone.",
  close: "Close",
  properties: "Properties",
  key: "Key",
  value: "Value",
  listHint: "Values, with commas between them",
  addProperty: "Add a property",
  removeProperty: (key: string): string => `Remove ${key}`,
  otherProperty: (key: string): string => `Somebody else changed ${key} meanwhile. Theirs:`,
  propertyGone: "removed",
  notRemoved: (key: string): string =>
    `${key} was not removed: somebody else changed it. Look at it again.`,
  tickFailed: "The task could not be ticked:",
};

export type WriteTexts = typeof englishWrite;
