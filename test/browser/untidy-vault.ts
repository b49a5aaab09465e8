/** A vault that is untidy, whatever the day is. */
export const UNTIDY = {
  "overview.md":
    "# Overview\n\n## Right now\n\nThe loft takes all the time.\n\n## Projects\n\n- **loft** (active): a pottery studio on the quay. 35 of 48 places sold. See [[projects/loft/state]].\n\n## Inbox\n\n3 items waiting.\n",
  "profile.md": "# Profile\n\nMakes pots.\n",
  "projects/loft/state.md":
    "## Status\n\nPaused. No work before spring.\n\n## Sales\n\n31 of 48 places are sold. The wheels will be delivered on 2025-11-10.\n",
  "projects/loft/description.md": "# The loft\n\nA pottery studio on the quay.\n",
  "projects/loft/changelog.md":
    "# 2025-11-08\n\n## [decision] Opening moved\nTo the end of the year.\n\n# 2025-11-07\n\n## Letter\nThe supply is late.\n\n# 2025-11-08\n\n## Bea has the list\nAll 31 names.\n",
  "projects/loft/tasks.md":
    "# Fetch the kiln\nstatus: doing | prio: high | added: 2025-11-03 | project: loft\ndeadline: 2025-11-25\nIn Penryn.\n",
  "bucket/quotes.md": "Quotes: [[bucket/polmear]] and Brightwater.\n",
  "bucket/polmear.md": "£4,280, all included.\n",
  "bucket/polmear-2.md": "£4,280, all included.\n",
};

/** The same in French. */
export const UNTIDY_FRENCH = {
  "overview.md":
    "# Vue d'ensemble\n\n## En ce moment\n\nLa voilerie prend tout le temps, et les commandes attendent.\n\n## Projets\n\n- **voilerie** (active) : un atelier de poterie sur le quai. Voir [[projects/voilerie/state]].\n\n## Boîte de réception\n\n2 éléments en attente.\n",
  "projects/voilerie/state.md":
    "## Statut\n\nEn pause. Pas de travaux avant le printemps.\n\n## Ventes\n\nLes tours seront livrés le 2025-11-10.\n",
  "projects/voilerie/description.md": "# La voilerie\n\nUn atelier de poterie sur le quai.\n",
  "projects/voilerie/changelog.md":
    "# 2025-11-08\n\n## [décision] Ouverture repoussée\nÀ la fin de l'année.\n\n# 2025-11-08\n\n## Béa a la liste\nLes 31 noms.\n",
};

/** Without what the background job writes above it. */
export function bodyOf(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n+/u, "");
}
