"""The command line: one module of `stockroom.commands` for each command."""

import argparse
import sys

from stockroom.commands import add, move, show
from stockroom.store import StoreBroken

COMMANDS = (add, move, show)


def parser():
    parser = argparse.ArgumentParser(prog="stockroom", description="What lies on which shelf, and how much of it.")
    parser.add_argument("--file", default="stock.json", metavar="FILE", help="the store (default: stock.json)")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.register(commands)
    return parser


def main(arguments=None):
    given = parser().parse_args(arguments)
    try:
        return given.run(given)
    except StoreBroken as error:
        print(f"stockroom: {error}", file=sys.stderr)
        return 1
