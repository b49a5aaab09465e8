import { arg, defineCommand } from "../table/command.ts";
export const completion = defineCommand({
  name: "completion",
  summary: "Print the script that completes commands, options and paths in a shell",
  positionals: {
    shell: arg.one("SHELL", "The shell: bash, zsh or fish", { choices: ["bash", "zsh", "fish"] }),
  },
  examples: [
    "source <(coffre completion bash)        # in ~/.bashrc",
    "source <(coffre completion zsh)         # in ~/.zshrc, after compinit",
    "coffre completion fish > ~/.config/fish/completions/coffre.fish",
  ],
  run: async (input, { commands, screen }) => {
    const { completionScript } = await import("../completion/script.ts");
    const shown = (await commands()).filter(({ hidden }) => hidden !== true);
    screen.print(completionScript(input.one("shell"), shown));
  },
});
