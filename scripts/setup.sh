# What the scripts share; read with `.`, not run. Installs what is missing from Debian and looks for Swift.
# shellcheck shell=sh

# Packages that building needs: the libraries' headers, a C toolchain, and what the Swift toolchain itself stands on.
build_packages="ca-certificates git pkg-config gcc libc6-dev libstdc++-12-dev binutils tzdata
  libcurl4 libxml2 libncurses6 libsqlite3-0 zlib1g-dev
  libdrm-dev libfreetype-dev libharfbuzz-dev libfribidi-dev libicu-dev libfontconfig-dev libpng-dev
  libmd4c-dev libqrencode-dev libsqlite3-dev libjpeg62-turbo-dev
  fonts-dejavu-core"

# Letters of most scripts, for texts that want them all: the tests', the comparison's, hostile ones and the fuzzer's.
font_packages="fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji fonts-inter-variable"

# What the tests need besides: the lab starts real kernels in QEMU, and compiles a driver for them; texts are compared with what HarfBuzz's own tool and
# Unicode's tests say, and Markdown with CommonMark's examples, which a library for Go has as JSON; the web page is used
# in a real browser, by programs in Python. Completions are tried in each shell that has them, and the proxies that the
# README documents stand before the service.
test_packages="qemu-system-x86 busybox-static kmod xz-utils debootstrap e2fsprogs util-linux libharfbuzz-bin unicode-data
  golang-github-yuin-goldmark-dev make libelf-dev dbus-daemon chromium chromium-driver python3 python3-venv zsh fish
  nginx-light caddy openssl
  $font_packages"

# What Placard's way with texts is measured beside.
bench_packages="libpango1.0-dev libcairo2-dev"

# The oldest Swift that can read Package.swift.
swift_needed=6.2

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null 2>&1; then sudo "$@"; else
    fail "root is needed for: $* (there is no sudo here: run it as root, then this again)"
  fi
}

# Prints those of the packages that are not installed.
missing_packages() {
  for package in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=
    [ "$status" = installed ] || printf '%s ' "$package"
  done
}

need_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    say "This is not Debian; these packages, or what corresponds to them, must be there:" "$@"
    return
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  say "Installing from Debian: $missing"
  as_root apt-get update -qq || fail "apt-get update failed; see above"
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    fail "apt-get could not install them; see above"
}

# Makes a Python environment with exactly the packages that a file lists, unless it is there, and sets `python` to its
# interpreter; leaves it empty where PyPI cannot be reached.
need_python() {
  folder=.build/python/$(basename "$(dirname "$1")")
  python=$folder/bin/python3
  if ! cmp -s "$1" "$folder/requirements.txt"; then
    rm -rf "$folder"
    say "Installing from PyPI what $1 lists ..."
    if /usr/bin/python3 -m venv "$folder" && "$folder/bin/pip" install -q --no-deps -r "$1"; then
      cp "$1" "$folder/requirements.txt"
    else
      python=
    fi
  fi
}

advise_swift() {
  cat >&2 <<EOF
$1 Placard needs Swift $swift_needed or newer. The way to get one is swiftly (https://www.swift.org/install/linux):

  curl -O https://download.swift.org/swiftly/linux/swiftly-\$(uname -m).tar.gz
  tar zxf swiftly-\$(uname -m).tar.gz
  ./swiftly init
  . ~/.local/share/swiftly/env.sh

Then run this again.
EOF
  exit 1
}

# Makes sure, before anything is installed, that there is a Swift at all.
find_swift() {
  if ! command -v swift >/dev/null 2>&1 && [ -x "$HOME/.local/share/swiftly/bin/swift" ]; then
    PATH="$HOME/.local/share/swiftly/bin:$PATH"
  fi
  command -v swift >/dev/null 2>&1 || advise_swift "There is no Swift toolchain here."
}

# Makes sure that it runs and is new enough.
check_swift() {
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
  [ -n "$version" ] || fail "$(command -v swift) is there but does not run: $(swift --version 2>&1 | head -n 3)"
  oldest=$(printf '%s\n%s\n' "$swift_needed" "$version" | sort -V | head -n 1)
  [ "$oldest" = "$swift_needed" ] || advise_swift "The Swift here is $version, which is too old."
}

# Makes a module FoundationEssentials for swift-argument-parser, which needs an encoder and a protocol of it: the
# toolchain's own would be 5 MB of the program. Placard's files import no Foundation.
make_essentials() {
  made="$(swift --version 2>/dev/null) $(cat scripts/setup.d/FoundationEssentials.swift Sources/JSON/*.swift | cksum)"
  [ "$made" != "$(cat .build/archives/essentials 2>/dev/null)" ] || return 0
  swiftc -Osize -wmo -parse-as-library -swift-version 6 -static-stdlib -static -emit-library -emit-module \
    -Xfrontend -function-sections -Xfrontend -disable-implicit-string-processing-module-import \
    -module-name FoundationEssentials -module-link-name SmallEssentials \
    -emit-module-path .build/archives/FoundationEssentials.swiftmodule -o .build/archives/libSmallEssentials.a \
    scripts/setup.d/FoundationEssentials.swift Sources/JSON/*.swift ||
    fail "scripts/setup.d/FoundationEssentials.swift does not compile; see above"
  printf '%s\n' "$made" >.build/archives/essentials
}

# Builds the programs as they are installed: optimised, with Swift's own libraries inside.
build_release() {
  say "Building (the first time takes some minutes) ..."
  # Each library that needs not be loaded is a start that is 5 to 10% shorter. The linker takes an archive where its
  # directory has no shared library beside it; $ORIGIN is no place where one is looked for.
  mkdir -p .build/archives
  ln -sf "$(cc -print-file-name=libstdc++.a)" .build/archives/libstdc++.a
  set -- --disable-local-rpath -Xlinker "-L$PWD/.build/archives" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc "$@"
  make_essentials
  set -- -Xswiftc "-I$PWD/.build/archives" "$@"
  # With a section for each function the linker leaves out those that nobody calls: 4% of the program.
  set -- -Xswiftc -Xfrontend -Xswiftc -function-sections "$@"
  swift build -c release --static-swift-stdlib "$@" || fail "the build failed; see above"
  products=$(swift build -c release --static-swift-stdlib --show-bin-path)
}
