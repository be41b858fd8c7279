"""`python3 -m cacheproxy [--config FILE] --show-config`"""

import argparse
import sys

from cacheproxy.config import load


def main(arguments, environment):
    parser = argparse.ArgumentParser(prog="cacheproxy")
    parser.add_argument("--config", metavar="FILE")
    parser.add_argument("--show-config", action="store_true", required=True)
    given = parser.parse_args(arguments)
    try:
        config = load(environment, given.config)
    except ValueError as error:
        print(f"cacheproxy: {error}", file=sys.stderr)
        return 1
    print(f"upstream = {config.upstream}")
    print(f"cache_ttl = {config.cache_ttl}")
    return 0
