import { arg, defineCommand } from "../table/command.ts";
import { findCommand } from "../table/parse.ts";
import { commandHelp, generalHelp } from "../table/help.ts";

export const help = defineCommand({
  name: "help",
  summary: "Show all commands, or everything about one",
  positionals: { command: arg.text("COMMAND", "One of them") },
  examples: ["coffre help", "coffre help search"],
  run: async (input, { commands, screen }) => {
    const name = input.text("command");
    const all = await commands();
    screen.print(
      name === undefined
        ? generalHelp(all, screen.translate)
        : commandHelp(findCommand(name, all), screen.translate),
    );
  },
});
