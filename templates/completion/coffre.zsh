#compdef coffre
# Completion of coffre in zsh: source <(coffre completion zsh)

_coffre_paths() {
  local -a place found
  [[ -n $vault ]] && place=(--vault "${(Q)vault/#\~\//$HOME/}")
  found=("${(@f)$("${words[1]}" __complete-paths $place -- "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  found=(${found:#})
  # A folder is not the end of a path: no space after it.
  compadd -S '' -- ${(M)found:#*/}
  compadd -- ${found:#*/}
}

_coffre() {
  local command vault word previous=${words[CURRENT-1]}
  local -a commands options
  integer at
  if [[ $PREFIX == --*=* ]]; then
    previous=${PREFIX%%=*}
    compset -P 1 '*='
  fi
  for ((at = 2; at < CURRENT; at++)); do
    word=${words[at]}
    case $word in
      --vault=*) vault=${word#--vault=} ;;
      --vault | --state)
        ((at++))
        [[ $word == --vault ]] && ((at < CURRENT)) && vault=${words[at]}
        ;;
      -*) ;;
      *) [[ -z $command ]] && command=$word ;;
    esac
  done
  case $command:$previous in
{{values}}
  esac
  if [[ $PREFIX == -* ]]; then
    options=({{everywhere}})
    case $command in
      "") options+=('--version:Show the version') ;;
{{options}}
    esac
    _describe -o option options
    return
  fi
  commands=(
{{commands}}
  )
  case $command in
    "") _describe command commands ;;
{{arguments}}
  esac
}

if [[ ${funcstack[1]} == _coffre ]]; then
  _coffre "$@"
else
  compdef _coffre coffre
fi
