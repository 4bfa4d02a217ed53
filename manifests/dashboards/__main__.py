"""Write the dashboards, or check that the files are as this program writes them."""

import json
import sys
from pathlib import Path

from daskfleet.generated import write_or_check
from manifests.dashboards.dask_team import dashboard

FILE = Path(__file__).with_name("dask-team.json")


def main(arguments: list[str]) -> int:
    """Write, or with ``--check`` only compare; the exit status."""
    text = json.dumps(dashboard(), indent=2) + "\n"
    return write_or_check({FILE: text}, arguments, module="manifests.dashboards")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
