import { READ_BUDGETS } from "./read-budgets.ts";
import { READ_FOLDED, READ_FORMAT } from "./read-format.ts";
import { READ_IMAGES } from "./read-images.ts";
import { READ_PATHS } from "./read-paths.ts";
import { READ_THEN_EDIT } from "./read-then-edit.ts";
import type { DoorStatement } from "./statement.ts";

export const READ: readonly DoorStatement[] = [
  ...READ_PATHS,
  ...READ_FORMAT,
  ...READ_BUDGETS,
  ...READ_IMAGES,
  ...READ_THEN_EDIT,
  ...READ_FOLDED,
];
