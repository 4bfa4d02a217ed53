"""Writes the report of the fault catalogue: `python -m tests.faults`, after its cases have run."""

import sys

from tests.faults.catalogue import catalogue, while_google_works
from tests.faults.cluster_cases import cluster_catalogue
from tests.faults.results import REPORT, kept, write_report


def main() -> str | None:
    """Write the report; return what is missing, if anything is."""
    cases = [each.id for each in (*catalogue(), *while_google_works())] + [
        each.id for each in cluster_catalogue()
    ]
    known = kept()
    not_run = [case for case in cases if case not in known]
    report = write_report([known[case] for case in cases if case in known], not_run=not_run)
    print(f"{REPORT}: {report.cases} cases, {dict(report.endings)}")  # noqa: T201
    return f"{len(not_run)} cases have not run." if not_run else None


if __name__ == "__main__":
    sys.exit(main())
