#!/usr/bin/env bash
# Does what the README says, as somebody new does it: a fresh clone, an empty home, an empty npm cache. Prints how long the first results take.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d)
service=
finish() {
  if [ -n "$service" ]; then kill "$service" 2>/dev/null || true; wait "$service" 2>/dev/null || true; fi
  rm -rf "$place"
}
trap finish EXIT
export HOME="$place/home" npm_config_cache="$place/npm" NO_COLOR=1
unset COFFRE_VAULT COFFRE_STATE COFFRE_MODEL XDG_STATE_HOME
mkdir -p "$HOME"

seconds() { date +%s; }
since() { echo "$(($(seconds) - $1)) s"; }
coffre() { "$place/coffre/bin/coffre" "$@"; }

begun=$(seconds)
git clone --quiet "$source" "$place/coffre"
cd "$place/coffre"
cloned=$(seconds)
npm ci --no-audit --no-fund >"$place/npm-ci.log" 2>&1 || { cat "$place/npm-ci.log"; exit 1; }

export COFFRE_VAULT="$HOME/notes"
coffre init --demo --lang en >/dev/null
coffre search "why was the opening moved?" --limit 1 | grep -q "sail-loft/changelog.md"
echo "From git clone to the first search result: $(since "$begun")"
unset COFFRE_VAULT

# In the background, so without npm between: its end must reach the service.
PATH="$place/coffre/node_modules/.bin:$PATH" node scripts/start.ts --port 0 >"$place/start.log" 2>&1 &
service=$!
link=
for _ in $(seq 600); do
  link=$(grep -oE 'http://127.0.0.1:[0-9]+/enter\?code=\S+' "$place/start.log" || true)
  if [ -n "$link" ]; then break; fi
  if ! kill -0 "$service" 2>/dev/null; then cat "$place/start.log"; exit 1; fi
  sleep 0.2
done
page=${link%%/enter*}
# As a browser does: the link gives a cookie, the page comes, the question is asked.
get() { curl --silent --show-error --fail --cookie "$place/cookies" --cookie-jar "$place/cookies" "$@"; }
get --location "$link" | grep -q '<div id="root"'
get --header 'content-type: application/json' --data '{"question": "why was the opening moved?"}' "$page/api/search" | grep -q 'Opening moved'
echo "From npm ci to an answer in the page: $(since "$cloned")"

# What was printed works as printed, in another folder.
grep -E '^  (alias )?coffre' "$place/start.log" >"$place/printed.sh"
(cd "$HOME" && bash -O expand_aliases -e "$place/printed.sh" >"$place/printed.log" 2>&1) || { cat "$place/printed.log"; exit 1; }
echo "What npm start prints works as printed: $(grep -c '^  coffre' "$place/printed.sh") commands"
