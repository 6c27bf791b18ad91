# Read by bin/run and bin/test: system packages and the Python environment, installed only where missing.
# The environment's stamp names the Python and the locks it was made from; the test lock holds the production lock.

STAMP=.venv/made-from

has_library() { # has_library NAME: is a shared library there, whoever installed it
    ldconfig=$(command -v ldconfig || echo /sbin/ldconfig)
    "$ldconfig" -p 2>/dev/null | grep -q "$1"
}

has_package() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

may_install() { command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }; }

install_packages() { # install_packages NAME...: from the distribution; fails when it cannot
    may_install || return 1
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

lock_sum() { sha256sum "$1" | cut -c1-16; }

PYTHON_NAME=$(python3 -c 'import sys; print("python", sys.version.split()[0], sys.prefix)' 2>/dev/null) || PYTHON_NAME=none

is_made_from() { # is_made_from LOCK: does the environment hold what this lock names
    [ -x .venv/bin/python ] && grep -qxF "$PYTHON_NAME" "$STAMP" 2>/dev/null &&
        grep -qxF "$1 $(lock_sum "$1")" "$STAMP"
}

make_environment() { # make_environment LOCK: exactly what the lock names, each file checked against its hash
    is_made_from "$1" && return 0
    if ! is_made_from requirements.lock; then
        rm -rf .venv
        python3 -m venv .venv
    fi
    rm -f "$STAMP"
    .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r "$1" || return 1
    {
        echo "$PYTHON_NAME"
        echo "requirements.lock $(lock_sum requirements.lock)"
        if [ "$1" != requirements.lock ]; then echo "$1 $(lock_sum "$1")"; fi
    } >"$STAMP"
}
