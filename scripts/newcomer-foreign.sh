#!/usr/bin/env bash
# Somebody with notes of many years tries coffre on them: clone, install, serve, look in the page, adopt, undo. git says what changed in the notes.
# scripts/newcomer-foreign.sh [PICTURES]: pictures of the page go to that folder, when Chromium is there. COFFRE_HERE=1 takes this checkout as it is.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
pictures=${1:+$(mkdir -p "$1" && cd "$1" && pwd)}
place=$(mktemp -d)
service=
finish() {
  if [ -n "$service" ]; then kill "$service" 2>/dev/null || true; wait "$service" 2>/dev/null || true; fi
  rm -rf "$place"
}
trap finish EXIT
export HOME="$place/home" NO_COLOR=1
unset COFFRE_VAULT COFFRE_STATE COFFRE_MODEL XDG_STATE_HOME
mkdir -p "$HOME"

checkout=$source
if [ -z "${COFFRE_HERE:-}" ]; then
  checkout="$place/coffre"
  export npm_config_cache="$place/npm"
  git clone --quiet "$source" "$checkout"
  (cd "$checkout" && npm ci --no-audit --no-fund) >"$place/npm-ci.log" 2>&1 || { cat "$place/npm-ci.log"; exit 1; }
fi
cd "$checkout"
export PATH="$checkout/node_modules/.bin:$PATH"
coffre() { node "$checkout/src/cli/main.ts" "$@"; }
fail() { echo "$*" >&2; exit 1; }

notes="$HOME/notes"
export COFFRE_VAULT="$notes"
node scripts/foreign-vault.ts "$notes" 500
# But for notes with our keys and a wrong count, which are corrected in every setting but none; the tests of the history try those.
changed() { git -C "$notes" status --porcelain --ignored --untracked-files=all | { grep -v '"\?from-coffre/edited ' || true; }; }
unchanged() { [ -z "$(changed)" ] || { changed | head; fail "$1 changed the notes"; }; }

coffre adopt --dry-run >"$place/adopt.txt"
unchanged "adopt --dry-run"
sed -n 1,20p "$place/adopt.txt"

begun=$(date +%s%N)
node scripts/start.ts --port 0 >"$place/start.log" 2>&1 &
service=$!
link=
for _ in $(seq 600); do
  link=$(grep -oE 'http://127.0.0.1:[0-9]+/enter\?code=\S+' "$place/start.log" || true)
  if [ -n "$link" ]; then break; fi
  kill -0 "$service" 2>/dev/null || { cat "$place/start.log"; exit 1; }
  sleep 0.1
done
echo "From serve to a link for the browser, on 500 notes: $((($(date +%s%N) - begun) / 1000000)) ms"
grep -q "coffre adopt" "$place/start.log" || { cat "$place/start.log"; fail "serve does not say how to change what it may write"; }

if [ ! -x /usr/bin/chromium ]; then pictures=; fi
if [ -n "$pictures" ]; then
  node scripts/page-pictures.ts "$link" "$pictures/before" folder=/folder/vault/Vault/ note=/file/vault/tree.md search=/search?q=kiln
  ls "$pictures/before"
fi
pending() { coffre status --json | grep -oE '"pending": *[0-9]+' | head -1 | grep -oE '[0-9]+'; }
rest() { for _ in $(seq 600); do if [ "$(pending)" = 0 ]; then return; fi; sleep 0.2; done; fail "it never came to rest"; }
rest
coffre tree --depth 1 >/dev/null
coffre search "kiln" --limit 1 | grep -q "vault/"
coffre read vault/tree.md | grep -q "The oak is 200 years old"
coffre recall "What did I write about the harbour?" >/dev/null
unchanged "Looking"
echo "Looked at: nothing in the notes changed."

coffre adopt --frontmatter all | sed -n 1,5p
rest
count=$(changed | wc -l)
[ "$count" -gt 100 ] || fail "adopt changed only $count files"
if [ -n "$pictures" ]; then
  # Where no browser is found, since one would use the link up.
  again=$(PATH=/nowhere "$(command -v node)" src/cli/main.ts open --json | grep -oE 'http://127.0.0.1:[0-9]+/enter\?code=[^"]+')
  node scripts/page-pictures.ts "$again" "$pictures/adopted" folder=/folder/vault/Vault/ note=/file/vault/README.md history=/history
  ls "$pictures/adopted"
fi
id=$(coffre log --json | node -e 'const [first] = JSON.parse(require("fs").readFileSync(0)); console.log(first.batch ?? first.id)')
coffre undo "$id" | sed -n 1,3p
rest
unchanged "An adoption that was undone"
echo "Adopted ($count files) and undone: nothing in the notes changed."
