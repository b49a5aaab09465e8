import type { Command } from "../table/command.ts";
import { candidatesOf, everywhere, type Candidates, type OptionCandidates } from "./candidates.ts";

/** The script for zsh: to be sourced after `compinit`, or put in a folder of `$fpath` as `_coffre`. */
export function zshCompletion(commands: readonly Command[]): string {
  const table = candidatesOf(commands);
  const names = table.map(({ name, summary }) => `    ${described(name, summary)}`);
  const values = [
    ...everywhere.flatMap((option) => valueCase("*", option)),
    ...table.flatMap(({ name, options }) => options.flatMap((option) => valueCase(name, option))),
  ];
  const options = table
    .filter(({ options: own }) => own.length > 0)
    .map(({ name, options: own }) => `      ${name}) options+=(${optionWords(own)}) ;;`);
  const places = table.map(({ name, argument }) => `    ${name}) ${offer(argument)} ;;`);
  return `#compdef coffre
# Completion of coffre in zsh: source <(coffre completion zsh)

_coffre_paths() {
  local -a place found
  [[ -n $vault ]] && place=(--vault "\${(Q)vault/#\\~\\//$HOME/}")
  found=("\${(@f)$("\${words[1]}" __complete-paths $place -- "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  found=(\${found:#})
  # A folder is not the end of a path: no space after it.
  compadd -S '' -- \${(M)found:#*/}
  compadd -- \${found:#*/}
}

_coffre() {
  local command vault word previous=\${words[CURRENT-1]}
  local -a commands options
  integer at
  if [[ $PREFIX == --*=* ]]; then
    previous=\${PREFIX%%=*}
    compset -P 1 '*='
  fi
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    case $word in
      --vault=*) vault=\${word#--vault=} ;;
      --vault | --state)
        ((at++))
        [[ $word == --vault ]] && ((at < CURRENT)) && vault=\${words[at]}
        ;;
      -*) ;;
      *) [[ -z $command ]] && command=$word ;;
    esac
  done
  case $command:$previous in
${values.join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then
    options=(${optionWords(everywhere)})
    case $command in
      "") options+=(${described("--version", "Show the version")}) ;;
${options.join("\n")}
    esac
    _describe -o option options
    return
  fi
  commands=(
${names.join("\n")}
  )
  case $command in
    "") _describe command commands ;;
${places.join("\n")}
  esac
}

if [[ \${funcstack[1]} == _coffre ]]; then
  _coffre "$@"
else
  compdef _coffre coffre
fi`;
}

function valueCase(command: string, { name, value }: OptionCandidates): string[] {
  return value === null ? [] : [`    ${command}:${name}) ${offer(value)}; return ;;`];
}

function optionWords(options: readonly OptionCandidates[]): string {
  return options.map(({ name, summary }) => described(name, summary)).join(" ");
}

/** `name:summary` as `_describe` takes it, quoted. */
function described(name: string, summary: string): string {
  return `'${name}:${summary.replaceAll("'", String.raw`'\''`)}'`;
}

const OFFERS = {
  "vault-path": "_coffre_paths",
  file: "_files",
  folder: "_files -/",
  anything: ":",
};

function offer(candidates: Candidates): string {
  if (candidates.kind !== "words") return OFFERS[candidates.kind];
  return `compadd -- ${candidates.words.join(" ")}`;
}
