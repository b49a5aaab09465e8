import { useState, type ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { texts } from "../texts/texts.ts";
import { foldText, fuzzyMatch } from "../tree/fuzzy.ts";
import { ChoiceList, type Choice } from "./choice-list.tsx";
import { COMMANDS } from "./commands.ts";
import { Dialog } from "./dialog.tsx";
import { paletteTexts } from "./palette-texts.ts";

/** Everything that can be done from here, by some letters of its name. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const services = useServices();
  const [text, setText] = useState("");
  const letters = foldText(text).replaceAll(/\s/gu, "");
  const choices = COMMANDS.filter(
    ({ id, isPossible }) => id !== "commands" && isPossible?.(services) !== false,
  )
    .flatMap((command) => {
      const match = fuzzyMatch(letters, foldText(command.title));
      return match === null ? [] : [{ command, score: match.score }];
    })
    .toSorted((a, b) => (letters === "" ? 0 : b.score - a.score))
    .map(({ command }): Choice => ({
      id: command.id,
      title: command.title,
      ...(command.keys === undefined ? {} : { keys: command.keys }),
      run: () => {
        onClose();
        command.run(services);
      },
    }));
  return (
    <Dialog label={texts.nav.commands} onClose={onClose}>
      <ChoiceList
        placeholder={paletteTexts.commandHint}
        text={text}
        onText={setText}
        choices={choices}
        none={paletteTexts.none}
      />
    </Dialog>
  );
}
