# Counts what passes and fails in `.ci/run` and `.ci/nightly`, and runs failed tests once more, but none of the gates.

say() { printf '\n== %s\n' "$*"; }

passed=0
failed=0
# What is said again at the end.
notable=$(mktemp)
scratch=$(mktemp -d)
# How long each step took.
times=()
trap 'rm -rf "$notable" "$scratch"' EXIT

# Runs a step, and notes how long it took.
timed() {
  local name=$1 began=$SECONDS
  shift
  say "$name"
  "$@"
  times+=("$(printf '%5d s  %s' $((SECONDS - began)) "$name")")
}

# Ends a run: what failed, the time of each step, and the count.
report() {
  cat "$notable"
  say "Time by step"
  printf '%s\n' "${times[@]}" "$(printf '%5d s  all' "$SECONDS")"
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

# Runs something, and says in good, bad and plain how many tests passed and failed, and what it printed.
attempt() {
  "$@" 2>&1 | tee "$scratch/log"
  local status=${PIPESTATUS[0]}
  # What vitest and the gates say last: `Tests  2 failed | 40 passed (42)`, with colours that are taken out here.
  plain=$(sed 's/\x1b\[[0-9;]*m//g' "$scratch/log")
  local summary skipped
  summary=$(grep -E '^ +(Tests|Gates) ' <<<"$plain" | tail -n 1)
  good=$(grep -oE '[0-9]+ passed' <<<"$summary" | grep -oE '[0-9]+' || echo 0)
  bad=$(grep -oE '[0-9]+ failed' <<<"$summary" | grep -oE '[0-9]+' || echo 0)
  # test/house/no-skips.ts names them.
  skipped=$(grep -oE '[0-9]+ skipped' <<<"$summary" | grep -oE '[0-9]+' || echo 0)
  bad=$((bad + skipped))
  all=$((good + bad))
  # A check without tests of its own, or a run that broke before or after them.
  if [ -z "$summary" ] && [ "$status" = 0 ]; then good=1; fi
  if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
}

# The machine may do other work: files in which a test failed are run once more by themselves. What passes then is
# named at the end and is a defect to mend. Where many fail it is not the machine.
most_files_again=10

counted() { timed "$1" tried "$@"; }

tried() {
  local name=$1 good bad all plain
  shift
  : >"$scratch/failures"
  FAILURES="$scratch/failures" attempt "$@"
  local files
  files=$(cut -f 1 "$scratch/failures" | sort -u | wc -l)
  if [ "$bad" != 0 ] && [ "$files" -gt 0 ] && [ "$files" -le "$most_files_again" ]; then
    say "$name: $files files once more"
    local of_all=$all first=$plain
    : >"$scratch/again"
    AGAIN="$scratch/failures" FAILURES="$scratch/again" attempt "$@"
    plain="$first"$'\n'"$plain"
    good=$((of_all - bad))
    awk -F '\t' 'FILENAME == ARGV[1] { again[$1 FS $2]; next } !(($1 FS $2) in again) {
      print "Passed at the second try: " $1 " > " $2 ": " $3 }' "$scratch/again" "$scratch/failures" >>"$notable"
  fi
  # Said again at the end, where one looks first: each test that failed with its reason, or else the last lines.
  if [ "$bad" != 0 ]; then
    {
      say "$name: $bad failed"
      grep -A 12 -E '^ *(FAIL|Error:|AssertionError:)|Unhandled|: failed in ' <<<"$plain" | head -n 150 || true
      tail -n 15 <<<"$plain"
    } >>"$notable"
  fi
  passed=$((passed + good))
  failed=$((failed + bad))
}

# For gates: what lost something in one run of two has lost it, and no second try takes that back.
counted_once() {
  local most_files_again=0
  counted "$@"
}
