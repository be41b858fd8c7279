#!/bin/sh
set -eu
cd "$(dirname "$0")"
rm -rf build
mkdir -p build/classes
javac -J-XX:TieredStopAtLevel=1 -Xlint:all -d build/classes $(find src -name '*.java')
java -XX:TieredStopAtLevel=1 -ea -cp build/classes numbers.TestMain
