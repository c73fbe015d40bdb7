#!/bin/sh
# Makes sure of the programs that `make test-system` and deploy/celery start. Installs Debian's packages for those that
# are missing when it may (as root, with apt-get); otherwise it says what is missing and ends with 1.
set -eu
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' ':')

missing() {
    command -v redis-server >/dev/null || echo redis-server
    command -v initdb >/dev/null || echo postgresql
    [ "$(id -u)" -ne 0 ] || command -v runuser >/dev/null || echo util-linux
    command -v git >/dev/null || echo git
    command -v chromium >/dev/null || echo chromium
    [ -n "$(find /usr/share/fonts -name '*.ttf' -print -quit 2>/dev/null)" ] || echo fonts-dejavu-core
}

wanted=$(missing | tr '\n' ' ')
[ -n "$wanted" ] || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "Missing programs, by their Debian packages: $wanted" >&2
    echo "Install them (as root: apt-get install --no-install-recommends $wanted), then run again." >&2
    exit 1
fi
echo "Installing Debian packages: $wanted"
apt-get update -qq
# shellcheck disable=SC2086  # one word per package
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >/dev/null
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' ':')
wanted=$(missing | tr '\n' ' ')
if [ -n "$wanted" ]; then
    echo "Installed, yet still not found: $wanted" >&2
    exit 1
fi
