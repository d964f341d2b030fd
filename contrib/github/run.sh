#!/usr/bin/env bash
# The step of action.yml: plays the suite, writes the outputs, and exits with parley's code. Needs jq.
set -uo pipefail

reports=${INPUT_REPORTS:-parley-reports}
program=${INPUT_BINARY:-parley}
[ -d "$program" ] && program=$program/bin/parley
mkdir -p "$reports"
options=(--reporter line --reporter github --reporter "json:$reports/parley.json" --reporter "junit:$reports/parley.xml"
         --reporter "html:$reports/parley.html" --reporter "jsonl:$reports/parley.jsonl")
[ "${INPUT_APPLY:-false}" = true ] && options+=(--apply)
[ "${INPUT_GATE:-true}" = true ] || options+=(--exit-zero)
# Both inputs are lists of words, on one line or several. `read` fails at the end of its input.
read -r -d '' -a paths <<<"${INPUT_PATHS:-}"
read -r -d '' -a more <<<"${INPUT_ARGS:-}"

"$program" run ${paths[@]+"${paths[@]}"} "${options[@]}" ${more[@]+"${more[@]}"}
code=$?

if [ -n "${GITHUB_OUTPUT:-}" ] && [ -s "$reports/parley.json" ]; then
  {
    jq -r '"passed=\(.decision == "green")"' "$reports/parley.json"
    jq -r '"pass-rate=\((.counts.passed / ([.counts.passed + .counts.failed, 1] | max)))"' "$reports/parley.json"
    jq -r '[.results[] | select(.state == "passed" or .state == "failed") | .score] |
           "score=\(if length > 0 then add / length else "" end)"' "$reports/parley.json"
    jq -r '"run=\([.runs[].id] | join(","))"' "$reports/parley.json"
    echo "report=$reports/parley.html"
  } >>"$GITHUB_OUTPUT"
fi
exit "$code"
