/** What the page says where one goes by letters: switcher, commands, keys. */
export const englishPalette = {
  switcherHint: "Go to a note or heading…",
  commandHint: "What do you want to do?",
  shortcuts: "Keyboard shortcuts",
  none: "Nothing has these letters.",
  noRecent: "No note was opened yet.",
  keys: {
    writing: {
      title: "While you write a note",
      bold: "Bold",
      italic: "Italic",
      link: "Make a link",
      save: "Save now",
      indent: "Indent",
      noteLink: "Link to a note",
      tag: "Set a tag",
      undo: "Take back what you typed",
    },
    elsewhere: {
      title: "Elsewhere",
      send: "Send what you wrote below",
      ask: "Ask what you typed into the search",
      tree: "Walk through the files",
      close: "Close what is open",
    },
  },
  commands: {
    switcher: "Go to a note or heading",
    search: "Search or ask",
    note: "Write something down",
    home: "Go to the overview",
    inbox: "Go to the inbox",
    history: "Go to the history",
    fileHistory: "Show the history of this file",
    folder: "Go to the folder of this file",
    back: "Back",
    forward: "Forward",
    commands: "All commands",
    shortcuts: "Show the keyboard shortcuts",
  },
};

export type PaletteTexts = typeof englishPalette;
