"""The stack file of a fleet with a given number of teams, large enough to hold them."""

from math import ceil
from pathlib import Path

import yaml

from daskfleet.stack_text.project_file import NAMESPACE

WORKERS_PER_TEAM = 2
GPUS_PER_WORKER_NODE = 2
SCHEDULERS_PER_NODE = 2


def write_stack_file(file: Path, *, teams: int, image: str | None = None) -> None:
    """Write a fleet of ``teams`` equal teams, else with the defaults.

    Args:
        file: where to.
        teams: how many.
        image: of every team; None for the default.

    """
    of_each = {"workers": WORKERS_PER_TEAM} | ({"image": image} if image else {})
    settings: dict[str, object] = {
        "project": "bench-project",
        "scheduler_pool": {
            # n1-standard-2, the default, has memory for one scheduler only.
            "machine_type": "n1-standard-4",
            "schedulers_per_gpu": SCHEDULERS_PER_NODE,
            "node_count": ceil(teams / SCHEDULERS_PER_NODE),
        },
        "worker_pools": [
            {
                "name": "a100",
                "autoscaling": {
                    "min_nodes": 0,
                    "max_nodes": ceil(teams * WORKERS_PER_TEAM / GPUS_PER_WORKER_NODE),
                },
            }
        ],
        "teams": [{"name": f"team-{number:03}", **of_each} for number in range(teams)],
    }
    config = {f"{NAMESPACE}:{key}": value for key, value in settings.items()}
    file.write_text(yaml.safe_dump({"config": config}, sort_keys=False), encoding="utf-8")
