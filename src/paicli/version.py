"""The version, where `--version` finds it without reading package metadata."""

VERSION = "0.1.0"
