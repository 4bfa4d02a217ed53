"""Look at all teams in a fresh interpreter: ``python -m bench.status_probe KUBECONFIG TEAM...``."""

import io
import json
import resource
import sys
import time
from pathlib import Path
from unittest.mock import patch

from bench.record import Figures

KIB_PER_MIB = 1024


class StatusRun(Figures):
    """One look."""

    import_s: float
    look_s: float
    """Lists, judgement and the table; without reading the stack's state."""
    cpu_s: float
    """Of both."""
    peak_mib: float


def _probe(kubeconfig: Path, names: list[str]) -> StatusRun:
    began = time.perf_counter()
    from rich.console import Console  # noqa: PLC0415 - the time that imports take is measured

    from daskfleet.access.fleet import Fleet  # noqa: PLC0415
    from daskfleet.contract.declared import DeclaredFleet  # noqa: PLC0415
    from daskfleet.team.status import all_teams  # noqa: PLC0415
    from daskfleet.team.status.model import FleetReport  # noqa: PLC0415
    from daskfleet.team.status.render_all import rendered_fleet  # noqa: PLC0415

    imported = time.perf_counter()
    from tests.daskfleet.team.status.objects import TEAM  # noqa: PLC0415

    of_each = {"workers": 4}
    teams = {
        name: TEAM.model_copy(update={"namespace": name, "dask_cluster": name, **of_each})
        for name in names
    }
    fleet = Fleet(
        stack="made",
        declared=DeclaredFleet(teams=teams, retired_teams={}, pools=()),
        kubeconfig=json.loads(kubeconfig.read_text("utf-8")),
    )
    console = Console(file=io.StringIO(), width=160)
    shown: list[FleetReport] = []

    def show(report: FleetReport) -> None:
        shown.append(report)
        console.print(rendered_fleet(report))

    looks = time.perf_counter()
    with patch.object(all_teams, "fleet_of_stack", lambda *_: fleet):
        all_teams.look_at_all(Path(), stack="made", show=show)
    ended = time.perf_counter()
    if {team.verdict.value for team in shown[0].teams} != {"ready"}:
        sys.exit(
            "Not every team of the made fleet is ready: what was measured is not a whole look."
        )
    return StatusRun(
        import_s=imported - began,
        look_s=ended - looks,
        cpu_s=time.process_time(),
        peak_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIB_PER_MIB,
    )


if __name__ == "__main__":
    print(_probe(Path(sys.argv[1]), sys.argv[2:]).model_dump_json())  # noqa: T201 - read by the caller
