# Functions that the scripts share, read with `.`. They install missing Debian packages and find the Swift toolchain.
# shellcheck shell=sh

# Packages for the build: the libraries' headers, a C toolchain, the dependencies of the Swift toolchain, a font for code and
# the default font.
build_packages="ca-certificates git pkg-config g++ libc6-dev binutils tzdata
  libcurl4 libxml2 libncurses6 libsqlite3-0 zlib1g-dev
  libdrm-dev libfreetype-dev libharfbuzz-dev libfribidi-dev libicu-dev libfontconfig-dev libpng-dev
  libmd4c-dev libqrencode-dev libsqlite3-dev libsystemd-dev libjpeg62-turbo-dev libical-dev libmosquitto-dev libssl-dev
  fonts-dejavu-core fonts-noto-core"

# Fonts with the letters of most scripts, for the tests, the benchmarks and the fuzzer. The golden images show code in the
# slanted fonts of fonts-dejavu-extra.
font_packages="fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji fonts-inter-variable fonts-dejavu-extra"

# Further packages for the tests. The lab boots real kernels in QEMU and compiles a driver for them. Text layout is
# compared with hb-shape and Unicode's test files, Markdown with CommonMark's examples (a Go library has them as JSON).
# Python tests use the web page in a browser, the completions run in each shell, and the documented proxies run in front
# of the service.
test_packages="qemu-system-x86 busybox-static kmod xz-utils debootstrap e2fsprogs util-linux libharfbuzz-bin unicode-data
  golang-github-yuin-goldmark-dev python3-dateutil python3-pyphen make libelf-dev dbus-daemon chromium chromium-driver python3 python3-venv zsh fish
  hyphen-de hyphen-en-us hyphen-fr hyphen-hu hyphen-pl hyphen-ru
  nginx-light caddy openssl curl mosquitto rabbitmq-server nats-server iproute2 faketime
  $font_packages"

# From Debian 13 on, QEMU's D-Bus display is a package of its own, and Home Assistant, some of whose packages are
# compiled, supports the version of Python. Testing and unstable have no version number.
case "$(. /etc/os-release 2>/dev/null && echo "${VERSION_ID:-99}")" in
9 | 10 | 11 | 12) ;;
*) test_packages="$test_packages qemu-system-modules-opengl python3-dev" ;;
esac

# Libraries that Placard's text rendering is compared with.
bench_packages="libpango1.0-dev libcairo2-dev"

# The oldest Swift version that can read Package.swift.
swift_needed=6.2

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null 2>&1; then sudo "$@"; else
    fail "this command needs root, and sudo is not installed: $*. Run it as root, then run this script again"
  fi
}

# Prints the packages that are not installed. An installed package may provide another one, such as libcurl4t64 libcurl4.
missing_packages() {
  installed=$(dpkg-query -W -f '${db:Status-Status}, ${Package}, ${Provides}\n' | sed -n 's/^installed, //p' |
    tr ',' '\n' | sed 's/^ *//; s/ .*//')
  for package in "$@"; do
    printf '%s\n' "$installed" | grep -qxF -e "$package" || printf '%s ' "$package"
  done
}

need_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    say "This is not Debian. Make sure that these packages or their equivalents are installed:" "$@"
    return
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  say "Installing from Debian: $missing"
  as_root apt-get update -qq || fail "apt-get update failed; see above"
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    fail "apt-get install failed; see above"
}

# Creates a Python environment with exactly the packages that a file lists, unless it exists, and sets `python` to its
# interpreter. `python` is empty if the installation from PyPI fails.
need_python() {
  folder=.build/python/$(basename "$(dirname "$1")")
  python=$folder/bin/python3
  if ! cmp -s "$1" "$folder/requirements.txt"; then
    rm -rf "$folder"
    say "Installing the packages in $1 from PyPI ..."
    if /usr/bin/python3 -m venv "$folder" && "$folder/bin/pip" install -q --no-deps -r "$1"; then
      cp "$1" "$folder/requirements.txt"
    else
      python=
    fi
  fi
}

# Installs Home Assistant for its test, where Python is new enough: need_home_assistant FILE.
need_home_assistant() {
  /usr/bin/python3 -c 'import sys; sys.exit(sys.version_info < (3, 13))' || return 0
  folder=.build/python/HomeAssistant
  ! cmp -s "$1" "$folder/requirements.txt" || return 0
  rm -rf "$folder"
  say "Installing Home Assistant from PyPI ..."
  if /usr/bin/python3 -m venv "$folder" && "$folder/bin/pip" install -q -r "$1"; then
    cp "$1" "$folder/requirements.txt"
  else
    say "Its test is skipped, because the installation failed; see above."
    rm -rf "$folder"
  fi
}

advise_swift() {
  cat >&2 <<EOF
$1 Placard needs Swift $swift_needed or newer. Install it with swiftly (https://www.swift.org/install/linux):

  curl -O https://download.swift.org/swiftly/linux/swiftly-\$(uname -m).tar.gz
  tar zxf swiftly-\$(uname -m).tar.gz
  ./swiftly init
  . ~/.local/share/swiftly/env.sh

Then run this script again.
EOF
  exit 1
}

# Checks that a Swift toolchain exists, before any package is installed.
find_swift() {
  if ! command -v swift >/dev/null 2>&1 && [ -x "$HOME/.local/share/swiftly/bin/swift" ]; then
    PATH="$HOME/.local/share/swiftly/bin:$PATH"
  fi
  command -v swift >/dev/null 2>&1 || advise_swift "No Swift toolchain was found."
}

# Checks that the Swift toolchain runs and is new enough.
check_swift() {
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
  [ -n "$version" ] || fail "$(command -v swift) does not run: $(swift --version 2>&1 | head -n 3)"
  oldest=$(printf '%s\n%s\n' "$swift_needed" "$version" | sort -V | head -n 1)
  [ "$oldest" = "$swift_needed" ] || advise_swift "Swift $version is too old."
}

# Builds a module FoundationEssentials for swift-argument-parser, which needs one encoder and one protocol of it. The
# toolchain's module would add 5 MB to the program. Placard's own files do not import Foundation.
make_essentials() {
  made="$(swift --version 2>/dev/null)"
  made="$made $(cat scripts/setup.d/FoundationEssentials.swift Sources/System/JSON/*.swift | cksum)"
  [ "$made" != "$(cat .build/archives/essentials 2>/dev/null)" ] || return 0
  swiftc -Osize -wmo -parse-as-library -swift-version 6 -static-stdlib -static -emit-library -emit-module \
    -Xfrontend -function-sections -Xfrontend -disable-implicit-string-processing-module-import \
    -module-name FoundationEssentials -module-link-name SmallEssentials \
    -emit-module-path .build/archives/FoundationEssentials.swiftmodule -o .build/archives/libSmallEssentials.a \
    scripts/setup.d/FoundationEssentials.swift Sources/System/JSON/*.swift ||
    fail "scripts/setup.d/FoundationEssentials.swift does not compile; see above"
  printf '%s\n' "$made" >.build/archives/essentials
}

# Builds the programs for installation: optimized, with the Swift libraries linked statically.
build_release() {
  say "Building (the first time takes some minutes) ..."
  # Each library that is linked statically makes the start 5 to 10% shorter. The linker uses an archive if its directory
  # has no shared library of the same name. Without --disable-local-rpath, programs would search $ORIGIN for libraries.
  mkdir -p .build/archives
  ln -sf "$(cc -print-file-name=libstdc++.a)" .build/archives/libstdc++.a
  set -- --disable-local-rpath -Xlinker "-L$PWD/.build/archives" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc "$@"
  make_essentials
  set -- -Xswiftc "-I$PWD/.build/archives" "$@"
  # With a section for each function, the linker removes functions without callers: 4% of the program.
  set -- -Xswiftc -Xfrontend -Xswiftc -function-sections "$@"
  # Without this option, the runtime finds each generic type by its name, and the conformances of its parameters among
  # all of the program's. That is a quarter of the start's instructions; the program is 1% larger.
  set -- -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors "$@"
  # The functions that the service usually executes are 2 MB of the program's 13. Next to each other, they need 6 MB less
  # of memory. scripts/link-order finds them.
  set -- -Xlinker "--symbol-ordering-file=$PWD/scripts/setup.d/link-order.txt" -Xlinker --no-warn-symbol-ordering "$@"
  swift build -c release --static-swift-stdlib "$@" || fail "the build failed; see above"
  products=$(swift build -c release --static-swift-stdlib --show-bin-path)
}
