"""The operators of a measurement: one for all namespaces, or one for each."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from bench.process_tree import MIB
from rehearsal.dask_operator.process import CONTROLLER

END_TIMEOUT_S = 60


class Operators:
    """Running operators; what each of them takes is added up."""

    def __init__(self, kubeconfig: Path, directory: Path, *, one_per_team: bool) -> None:
        """Start the one for all namespaces, unless each has its own."""
        self._kubeconfig = kubeconfig
        self._directory = directory
        self._one_per_team = one_per_team
        self._processes: list[psutil.Popen] = []
        if not one_per_team:
            self._start("--all-namespaces", name="operator")

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._processes)

    def serve(self, namespace: str) -> None:
        """See to a namespace that is new."""
        if self._one_per_team:
            self._start(f"--namespace={namespace}", name=namespace)

    def are_running(self) -> bool:
        """Tell whether none has ended."""
        return all(each.poll() is None for each in self._processes)

    def cpu_s(self) -> float:
        """User and system time until now."""
        times = [each.cpu_times() for each in self._processes]
        return float(sum(each.user + each.system for each in times))

    def resident_mib(self) -> float:
        """Resident memory; what they share counts for each."""
        return sum(each.memory_info().rss for each in self._processes) / MIB

    def end(self) -> None:
        """End them all."""
        for each in self._processes:
            each.terminate()
        _, alive = psutil.wait_procs(self._processes, timeout=END_TIMEOUT_S)
        for stubborn in alive:
            stubborn.kill()
        psutil.wait_procs(alive)

    def _start(self, scope: str, *, name: str) -> None:
        command = (sys.executable, "-m", "kopf", "run", scope, "--standalone")
        with (self._directory / f"{name}.log").open("wb") as out:
            process = psutil.Popen(
                [*command, "--module", CONTROLLER],
                env={
                    "PATH": os.environ["PATH"],
                    "HOME": str(self._directory),
                    "KUBECONFIG": str(self._kubeconfig),
                },
                stdout=out,
                stderr=out,
            )
        self._processes.append(process)


@contextmanager
def operators(kubeconfig: Path, directory: Path, *, one_per_team: bool) -> Iterator[Operators]:
    """Give operators that end with the block."""
    kept_by = Operators(kubeconfig, directory, one_per_team=one_per_team)
    try:
        yield kept_by
    finally:
        kept_by.end()
