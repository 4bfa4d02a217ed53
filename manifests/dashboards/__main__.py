"""Write the dashboards, or check that the files are as this program writes them."""

import json
import sys
from pathlib import Path

from daskfleet.files import write_file
from manifests.dashboards.dask_team import dashboard

FILE = Path(__file__).with_name("dask-team.json")


def main(arguments: list[str]) -> int:
    """Write, or with ``--check`` only compare; the exit status."""
    text = json.dumps(dashboard(), indent=2) + "\n"
    if arguments == ["--check"]:
        if FILE.exists() and FILE.read_text("utf-8") == text:
            return 0
        sys.stderr.write(f"{FILE} is stale: run python -m manifests.dashboards and commit it.\n")
        return 1
    if arguments:
        sys.stderr.write("usage: python -m manifests.dashboards [--check]\n")
        return 2
    write_file(FILE, text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
