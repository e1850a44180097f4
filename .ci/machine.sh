# What a bare machine lacks: servers, a browser, and the packages of the project.

# NO_SKIPS: what all tests need is installed here, so that one which is skipped is one that fails.
export CI=1 NO_SKIPS=1 npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false

# A step that must succeed before anything else makes sense.
need() {
  "$@" && return
  echo "This did not work: $*"
  echo "0 passed, 1 failed"
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

install_packages() {
  as_root apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends "$@"
}

has() {
  local program
  for program in "$@"; do command -v "$program" >/dev/null && return; done
  return 1
}

prepare_machine() {
  local missing=() pair
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || has initdb || missing+=(postgresql)
  has mariadbd /usr/sbin/mariadbd || missing+=(mariadb-server)
  has pgbouncer /usr/sbin/pgbouncer || missing+=(pgbouncer)
  has chromium chromium-browser google-chrome || missing+=(chromium)
  # What single tests start: a pseudo-terminal and a mount, a check of the unit, a reader of webhooks.
  for pair in script:util-linux unshare:util-linux systemd-analyze:systemd python3:python3 curl:curl; do
    has "${pair%%:*}" || missing+=("${pair##*:}")
  done
  [ ${#missing[@]} = 0 ] || timed "Installing ${missing[*]}" need install_packages "${missing[@]}"
  timed "Installing the project's packages" need npm ci --no-progress
  timed "Installing the tools that check it" need npm run tools
  timed "Installing what the examples need" need npm ci --prefix examples --no-progress
}
