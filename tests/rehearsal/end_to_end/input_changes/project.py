"""A project beside the real one: the same files, and a program that changes inputs."""

import copy
import json
from collections.abc import Iterable
from pathlib import Path

from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.input_changes.cases import InputChange
from tests.rehearsal.end_to_end.running_rehearsal import Settings, rehearsal_settings

LEFT_OUT = {".git", ".rehearsal", "__main__.py"}
"""The rehearsal keeps charts in ``.rehearsal``; this project has its own."""


def with_more_inputs(settings: Settings | None = None) -> Settings:
    """The rehearsal's settings, and those without which some inputs would not be there."""
    more = copy.deepcopy(settings or rehearsal_settings())
    more["daskfleet:image_prepull"] = True
    more["daskfleet:monitoring"] = {}
    more["daskfleet:gpu_health"] = {}
    # Left out afterwards, neither changes anything: their end has to be said.
    more["daskfleet:cluster"]["binary_authorization"] = True
    more["daskfleet:keys"] = {"secrets": "google"}
    more["daskfleet:worker_pools"][0]["image_streaming"] = False
    more["daskfleet:teams"][0]["tls"] = True
    (genomics,) = (each for each in more["daskfleet:teams"] if each["name"] == "genomics")
    del genomics["workers"]
    genomics["ephemeral"] = {"max_workers": 1}
    more["daskfleet:scheduler_pool"] |= {"machine_type": "n1-standard-16", "schedulers_per_gpu": 4}
    more["daskfleet:worker_pools"][1]["autoscaling"]["max_nodes"] = 3
    genomics["adaptive"] = {"minimum": 1, "maximum": 2}
    more["daskfleet:teams"][0]["idle"] = {"workers_after_min": 720}
    more["daskfleet:teams"][0]["recycle"] = {"after_h": 8760}
    more["daskfleet:teams"][0]["jupyter"] = {"cpu": 0.5, "memory_gib": 2}
    more["daskfleet:project_number"] = 123456789012
    more["daskfleet:teams"][0]["buckets"] = [{"name": "data"}]
    # Neither sleep nor adaptive bounds go with groups of workers: a team of its own has them.
    group = {"name": "memory", "workers": 0, "pool": "a100-auto"}
    more["daskfleet:teams"] += [
        {"name": "physics", "workers": 0, "worker_pool": "a100-auto", "groups": [group]}
    ]
    return more


class ChangedProject:
    """A directory in which ``pulumi`` runs the real program with changed inputs."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir()
        for entry in PROJECT_DIR.iterdir():
            if entry.name not in LEFT_OUT:
                (directory / entry.name).symlink_to(entry)
        (directory / "real_main.py").symlink_to(PROJECT_DIR / "__main__.py")
        program = Path(__file__).with_name("changed_main.py").read_text("utf-8")
        (directory / "__main__.py").write_text(program, "utf-8")
        self.change()

    def change(self, changes: Iterable[InputChange] = ()) -> None:
        """Let the next run of the program have these changes, and no others."""
        documents = [
            {"type": each.type, "name": each.name, "steps": each.steps, "value": each.value}
            for each in changes
            if not each.is_workers
        ]
        (self.directory / "changed-inputs.json").write_text(json.dumps(documents), "utf-8")
