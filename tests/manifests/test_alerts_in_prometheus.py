"""Soak: Prometheus itself evaluates the alerts over days of made-up metrics.

It takes minutes because promtool is built once by Go, which a promtool on PATH saves.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from daskfleet.settings.monitoring import Alerts
from manifests.alert_rules import alert_rules
from tests.components.fleets import alpha

pytestmark = pytest.mark.soak(files=10)  # to build promtool takes minutes

PROMETHEUS = "github.com/prometheus/prometheus@v0.313.5"

SCHEDULER = 'job="dask-scheduler", dask_cluster="alpha"'
UP = f"up{{{SCHEDULER}}}"
OTHER_UP = 'up{job="dask-scheduler", dask_cluster="alpha-1"}'
IDLE = f'dask_scheduler_workers{{{SCHEDULER}, state="idle"}}'
SATURATED = f'dask_scheduler_workers{{{SCHEDULER}, state="saturated"}}'
OTHER_IDLE = 'dask_scheduler_workers{job="dask-scheduler", dask_cluster="alpha-1", state="idle"}'
SECONDS = f'dask_scheduler_tasks_compute_seconds_total{{{SCHEDULER}, task_prefix_name="sum"}}'
OTHER_SECONDS = SECONDS.replace("sum", "read")
GPU = 'DCGM_FI_DEV_GPU_UTIL{pod="alpha-default-worker-1"}'
OTHER_GPU = GPU.replace("-1", "-2")
SCHEDULER_GPU = 'DCGM_FI_DEV_GPU_UTIL{pod="alpha-scheduler-1"}'

DAY = 24 * 60


@dataclass(frozen=True, kw_only=True)
class Case:
    """Metrics, a sample each minute, and the moments at which an alert fires or does not."""

    alert: str
    what: str
    series: dict[str, str]
    silent_at: tuple[str, ...] = ()
    firing_at: tuple[str, ...] = ()
    value: str = ""
    pod: str = ""


CASES = (
    Case(
        alert="DaskSchedulerDown",
        what="the scheduler's pod goes",
        series={UP: "1x60 _x60"},
        silent_at=("60m", "75m"),
        firing_at=("85m",),
    ),
    Case(
        alert="DaskSchedulerDown",
        what="the scheduler does not answer",
        series={UP: "1x60 0x60"},
        silent_at=("70m",),
        firing_at=("80m",),
    ),
    Case(
        alert="DaskSchedulerDown",
        what="the new one of a roll does not answer yet",
        series={UP: "1x120", OTHER_UP: "0x120"},
        silent_at=("100m",),
    ),
    Case(
        alert="DaskWorkersBelowDeclared",
        what="one of two workers is gone",
        series={IDLE: "1x60 1x60", SATURATED: "1x60 0x60"},
        silent_at=("60m", "85m"),
        firing_at=("95m",),
        value="1",
    ),
    Case(
        alert="DaskWorkersBelowDeclared",
        what="the new cluster of a roll has no workers yet",
        series={IDLE: "2x120", OTHER_IDLE: "0x120"},
        silent_at=("100m",),
    ),
    Case(
        alert="DaskIdleForDays",
        what="nothing is computed for three days",
        series={UP: f"1x{4 * DAY}", IDLE: f"2x{4 * DAY}", SECONDS: f"5x{4 * DAY}"},
        silent_at=("1d", "2d23h"),
        firing_at=("3d1h",),
    ),
    Case(
        alert="DaskIdleForDays",
        what="nothing was ever computed",
        series={UP: f"1x{4 * DAY}", IDLE: f"2x{4 * DAY}"},
        silent_at=("2d23h",),
        firing_at=("3d1h",),
    ),
    Case(
        alert="DaskIdleForDays",
        what="tasks of a new name are computed once",
        series={
            UP: f"1x{4 * DAY}",
            IDLE: f"2x{4 * DAY}",
            SECONDS: f"5x{4 * DAY}",
            OTHER_SECONDS: f"_x{2 * DAY} 7x{2 * DAY}",
        },
        silent_at=("3d1h", "3d23h"),
    ),
    Case(
        alert="DaskIdleForDays",
        what="there were no workers for a night",
        series={
            UP: f"1x{4 * DAY}",
            IDLE: f"2x{2 * DAY} 0x600 2x{2 * DAY}",
            SECONDS: f"5x{4 * DAY}",
        },
        silent_at=("3d1h",),
    ),
    Case(
        alert="DaskIdleForDays",
        what="the scheduler restarts after work",
        series={
            UP: f"1x{6 * DAY}",
            IDLE: f"2x{6 * DAY}",
            SECONDS: f"5x{DAY} _x{5 * DAY}",
        },
        silent_at=("3d1h",),
        firing_at=("4d2h",),
    ),
    Case(
        alert="DaskGpuIdleForDays",
        what="a GPU runs no kernel for three days, another one does",
        series={GPU: f"0x{4 * DAY}", OTHER_GPU: f"90x{4 * DAY}", SCHEDULER_GPU: f"0x{4 * DAY}"},
        silent_at=("2d23h",),
        firing_at=("3d1h",),
        pod="alpha-default-worker-1",
    ),
    Case(
        alert="DaskGpuIdleForDays",
        what="a GPU runs a kernel once",
        series={GPU: f"0x{2 * DAY} 3 0x{2 * DAY}"},
        silent_at=("3d1h",),
    ),
    Case(
        alert="DaskGpuIdleForDays",
        what="the pod of an idle GPU goes",
        series={GPU: f"0x{3 * DAY + 5} _x{DAY}"},
        silent_at=("3d1h",),
    ),
)


def test_alerts_fire_when_they_should_and_at_no_other_time(tmp_path: Path) -> None:
    rules = alert_rules(alpha(workers=2).team, alerts=Alerts(), measures_gpus=True)
    by_name = {each["alert"]: each for each in rules["groups"][0]["rules"]}
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump(rules), "utf-8")
    document = {
        "rule_files": ["rules.yaml"],
        "evaluation_interval": "1m",
        "tests": [
            {
                "name": f"{case.alert}: {case.what}",
                "interval": "1m",
                "input_series": [
                    {"series": series, "values": values} for series, values in case.series.items()
                ],
                "alert_rule_test": list(asked(case, by_name[case.alert])),
            }
            for case in CASES
        ],
    }
    (tmp_path / "cases.yaml").write_text(yaml.safe_dump(document), "utf-8")

    done = promtool("test", "rules", "cases.yaml", directory=tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert set(by_name) == {case.alert for case in CASES}


def asked(case: Case, rule: dict[str, Any]) -> Iterator[dict[str, Any]]:
    fired = {
        "exp_labels": {**rule["labels"], **({"pod": case.pod} if case.pod else {})},
        "exp_annotations": {
            key: text.replace("{{ $value }}", case.value).replace("{{ $labels.pod }}", case.pod)
            for key, text in rule["annotations"].items()
        },
    }
    for moment in case.silent_at:
        yield {"eval_time": moment, "alertname": case.alert, "exp_alerts": []}
    for moment in case.firing_at:
        yield {"eval_time": moment, "alertname": case.alert, "exp_alerts": [fired]}


def promtool(*arguments: str, directory: Path) -> subprocess.CompletedProcess[str]:
    command = shutil.which("promtool") or built(directory / "promtool")
    return subprocess.run(  # noqa: PLW1510 - the caller looks
        [command, *arguments], cwd=directory, capture_output=True, text=True, timeout=60
    )


def built(binary: Path) -> str:
    """Build it in its own module: `go run` refuses a module that replaces another, as it does.

    Without its workspace, which names folders that are not in the module.
    """
    listed = subprocess.run(
        ["go", "mod", "download", "-json", PROMETHEUS],  # noqa: S607 - whichever go there is
        check=True,
        stdout=subprocess.PIPE,
    )
    module = json.loads(listed.stdout)["Dir"]
    subprocess.run(
        ["go", "-C", module, "build", "-o", str(binary), "./cmd/promtool"],  # noqa: S607
        env={**os.environ, "GOWORK": "off"},
        check=True,
        timeout=1800,
    )
    return str(binary)
