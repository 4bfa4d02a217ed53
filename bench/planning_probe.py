"""Read and plan one stack file in a fresh interpreter: ``python -m bench.planning_probe FILE``.

Fresh, because the tables of the catalog are read once per process, and a preview pays for that.
"""

import sys
import time
from pathlib import Path

BEGAN = time.perf_counter()
from bench.planning import PlanningRun  # noqa: E402 - imports are part of what is measured
from daskfleet.planning.fleet import plan_draft  # noqa: E402
from daskfleet.settings.stack_file import read_stack_file  # noqa: E402

IMPORTED = time.perf_counter()


def _probe(file: Path) -> PlanningRun:
    began = time.perf_counter()
    draft = read_stack_file(file)
    read = time.perf_counter()
    plan_draft(draft)
    planned = time.perf_counter()
    return PlanningRun(
        import_s=IMPORTED - BEGAN, settings_s=read - began, planning_s=planned - read
    )


if __name__ == "__main__":
    print(_probe(Path(sys.argv[1])).model_dump_json())  # noqa: T201 - the caller reads it
