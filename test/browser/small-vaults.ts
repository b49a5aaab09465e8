/** Notes that were there before coffre, one of them with a name that coffre uses. */
export const FOREIGN_NOTES = {
  "oak.md": "# The oak\n\nIt is 200 years old.\n",
  "overview.md": "# My trees\n\nWhat grows where.\n",
  "projects/garden/elm.md": "# The elm\n",
  "tree.md": "# Trees\n\nAn oak and an elm.\n",
};

/** Notes with properties to filter by. */
export const PUMP_NOTES = {
  "pump.md":
    "---\ntags: [house/cellar]\nstatus: broken\n---\n\n# Pump\n\nThe pump in the cellar.\n",
  "other.md": "---\nstatus: sold\n---\n\n# Other\n\nThe pump that was sold.\n",
};

/** A note that another links to by its alias. */
export const ALIAS_NOTES = {
  "oak.md": "---\naliases: [Zorglub]\n---\n\n# The oak\n",
  "diary.md": "# Diary\n\nSaw [[Zorglub]] and ![[Zorglub]] today.\n",
};
