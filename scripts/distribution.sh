# The differences between the supported Debian releases. Sourced by scripts/setup and scripts/check; no other file in the
# tree names a release.
. /etc/os-release
case "${ID:-}-${VERSION_ID:-}" in
  debian-12) clang_version=14 ;;
  debian-13) clang_version=19 ;;
  *)
    echo "warning: parley is tested on Debian 12 and 13, not on ${PRETTY_NAME:-this system}" >&2
    clang_version=14
    ;;
esac
clang_tidy=clang-tidy-$clang_version
# All releases use one version of the formatter, because another version would format the same sources differently.
clang_format=clang-format-14

distribution_packages=("$clang_tidy")
[ "$clang_version" != 14 ] || distribution_packages+=("$clang_format")
