"""Tries a sample of mutants: `make mutants`, or `python -m tests.mutants FILE ...`."""

import argparse
import sys

from tests.mutants.rooms import ROOMS
from tests.mutants.run import COUNT, MINUTES, head, run
from tests.mutants.tally import below_the_aim, told


def main() -> int:
    """Try the mutants; return 1 if too many survive."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help="how many are tried")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="when to stop")
    parser.add_argument("--seed", default=head(), help="which ones; HEAD's hash by itself")
    parser.add_argument("paths", nargs="*", default=ROOMS, help="of these files or folders only")
    asked = parser.parse_args()
    results = run(count=asked.count, minutes=asked.minutes, seed=asked.seed, paths=asked.paths)
    print(told(results))  # noqa: T201
    return int(below_the_aim(results))


if __name__ == "__main__":
    sys.exit(main())
