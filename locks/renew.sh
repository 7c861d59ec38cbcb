# `make lock`: what is installed with and for the package, pinned by version and by the digests of all files that may be
# it; one file for each purpose, complete in itself, for every Python and system that is supported.
set -euo pipefail
cd "$(dirname "$0")/.."
lock() { # what pyproject.toml asks for, with the given extras; no address of where it comes from
  "$UV" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
    --no-emit-index-url --no-emit-find-links "$@" pyproject.toml "$scratch/build.in"
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${PYTHON:-.venv/bin/python}" - > "$scratch/build.in" <<'EOF'
import tomllib
with open("pyproject.toml", "rb") as file:
    print(*tomllib.load(file)["build-system"]["requires"], sep="\n")
EOF
lock --all-extras --output-file "$scratch/all.txt" # together first, so that no two of them disagree
for extra in run test lint docs browser dask; do
  extras=()
  case $extra in
    run) ;;
    browser) extras=(--extra browser --extra test) ;;
    *) extras=(--extra "$extra") ;;
  esac
  lock "${extras[@]}" --constraint "$scratch/all.txt" --output-file "$scratch/$extra.txt"
  { echo "# Made by \`make lock\`. pip install --require-hashes -r locks/$extra.txt"; cat "$scratch/$extra.txt"; } > "locks/$extra.txt"
done
# Python for browsers, of the site's page try/
command -v npm >/dev/null || { echo "npm is missing: locks/npm/ stays as it is" >&2; exit 0; }
cd locks/npm && npm install --package-lock-only --save-exact --omit-lockfile-registry-resolved pyodide@latest
