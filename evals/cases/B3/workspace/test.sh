#!/bin/sh
set -eu
cd "$(dirname "$0")"
tsc -p .
node --test tests/
