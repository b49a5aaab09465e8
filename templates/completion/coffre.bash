# Completion of coffre in bash: source <(coffre completion bash)

# A word without the backslashes and the quote it may have been typed with.
_coffre_plain() {
  local word=${1//\\/}
  printf '%s' "${word#[\"\']}"
}

# Offers what compgen finds for the present word.
_coffre_offer() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$current" 2>/dev/null)
}

_coffre_files() {
  compopt -o filenames 2>/dev/null
  _coffre_offer "$@"
}

_coffre_paths() {
  local line place=()
  [[ -n $vault ]] && place=(--vault "$(_coffre_plain "${vault/#\~\//$HOME/}")")
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    "${COMP_WORDS[0]}" __complete-paths ${place[@]+"${place[@]}"} -- "$(_coffre_plain "$current")" 2>/dev/null </dev/null
  )
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
}

_coffre() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= vault= options= at word
  COMPREPLY=()
  # Bash makes three words of --name=value.
  [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}
  [[ $current == = ]] && current=
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=${COMP_WORDS[at]}
    case $word in
      --vault | --state)
        [[ ${COMP_WORDS[at+1]} == = ]] && ((at++))
        ((at++))
        [[ $word == --vault && $at -lt $COMP_CWORD ]] && vault=${COMP_WORDS[at]}
        ;;
      -* | =) ;;
      *) [[ -z $command ]] && command=$word ;;
    esac
  done
  case $command:$previous in
{{values}}
  esac
  if [[ $current == -* ]]; then
    case $command in
      "") options=--version ;;
{{options}}
    esac
    _coffre_offer -W "$options {{everywhere}}"
    return 0
  fi
  case $command in
    "") _coffre_offer -W "{{commands}}" ;;
{{arguments}}
  esac
  return 0
}

complete -F _coffre coffre
