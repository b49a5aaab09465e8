import type { Files } from "../temporary-vault.ts";

/** A small vault to file things in. */
export const houseFiles: Files = {
  "overview.md":
    "# Overview\n\n## Projects\n\n- **house** (active): the roof. Start not known.\n- **boat** (asleep): a dinghy to paint.\n\n## Inbox\n\nNothing waits.\n",
  "profile.md": "# Profile\n\nMaud Ferrer, carpenter.\n",
  "tasks.md":
    "# Renew the library card\nstatus: todo | prio: low | added: 2026-11-01 | project: —\n",
  "changelog.md": "# 2026-11-01\n\n## Moved in\nAt last.\n",
  "projects/house/description.md": "# The house\n\nA new roof before winter.\n",
  "projects/house/state.md":
    "## Status\n\nActive.\n\n## Roof\n\nStart not known. Deposit not paid.\n",
  "projects/house/tasks.md":
    "# Pay the deposit to Hale\nstatus: todo | prio: high | added: 2026-11-03 | project: house\n",
  "projects/house/changelog.md":
    "# 2026-11-04\n\n## [decision] Hale does the roof\nDearer by 300, but before the frost.\n",
  "projects/house/bucket/2026-11-03-mail-quotes.md":
    "# Quotes\n\nHale: 4,300. Brand: 4,000, in spring.\n",
  "projects/boat/state.md": "## Status\n\nAsleep until spring. The varnish is ordered.\n",
  "projects/boat/changelog.md": "# 2026-10-02\n\n## Hull sanded\nBefore the rain.\n",
};
