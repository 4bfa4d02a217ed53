"""Pure: scheduler, workers and this client have the same software."""

from collections.abc import Mapping

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.checks.wording import CLIENT, SCHEDULER, named_processes, run_the_image
from daskfleet.team.verify.facts import ProcessFacts, TeamFacts
from daskfleet.team.verify.model import Check, failed, passed

VERSIONS = "versions"
ALWAYS = ("python", "dask", "distributed", "msgpack", "cloudpickle")
"""What every client, scheduler and worker has."""
WHERE_INSTALLED = ("numpy", "pandas", "cudf", "cupy", "rmm", "dask-cuda", "ucxx")
"""Compared if one of them has it. What the client lacks, it does not send; what the scheduler
or a worker lacks, another may send it."""

ABSENT = "not installed"


def versions(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """All have the same versions of Python and of what carries graphs and data between them."""
    processes = named_processes(facts.dask)
    differing = {
        library: by_process
        for library in (*ALWAYS, *WHERE_INSTALLED)
        if (by_process := _of(library, processes)) and len(set(by_process.values())) > 1
    }
    expected = "the same in scheduler, workers and this client"
    if not differing:
        one = next(iter(processes.values()))
        same = [f"{name} {_version(name, one)}" for name in ALWAYS]
        more = {
            f"{name} {version}"
            for each in processes.values()
            for name, version in each.versions.items()
            if name in WHERE_INSTALLED
        }
        return passed(VERSIONS, expected=expected, seen=", ".join([*same, *sorted(more)]))
    seen = [f"{library}: {_by_version(found)}" for library, found in differing.items()]
    only_client = all(_is_clients_alone(found) for found in differing.values())
    return failed(
        VERSIONS,
        expected=expected,
        seen="; ".join(seen),
        next_step=f"Scheduler and workers are the same, and this client "
        f"({facts.dask.client_python}) "
        f"differs: {run_the_image(team)}."
        if only_client and not facts.has_client_in_image
        else "All of them must run one image: the check of the pods' images says whether they do. "
        "When they do, something installs packages as a container starts; build them into the "
        "image instead.",
    )


def _of(library: str, processes: Mapping[str, ProcessFacts]) -> dict[str, str]:
    found = {name: _version(library, process) for name, process in processes.items()}
    if library in WHERE_INSTALLED:
        if found.get(CLIENT) == ABSENT:
            del found[CLIENT]
        if set(found.values()) == {ABSENT}:
            return {}
    return found


def _version(library: str, process: ProcessFacts) -> str:
    if library == "python":
        return process.python
    return process.versions.get(library, ABSENT)


def _is_clients_alone(found: Mapping[str, str]) -> bool:
    return len({version for name, version in found.items() if name != CLIENT}) == 1


def _by_version(found: Mapping[str, str]) -> str:
    """Return ``2026.7.1 in worker a, 2026.8.0 in scheduler, this client and 3 workers``."""
    holders: dict[str, list[str]] = {}
    for name, version in found.items():
        holders.setdefault(version, []).append(name)
    return ", ".join(
        f"{version} in {_joined(names, alone=len(names) <= _FEW)}"
        for version, names in sorted(holders.items())
    )


_FEW = 4
"""Processes that are named one by one."""


def _joined(names: list[str], *, alone: bool) -> str:
    if not alone:
        singles = [name for name in names if name in {CLIENT, SCHEDULER}]
        names = [*singles, f"{len(names) - len(singles)} workers"]
    return " and ".join(names)
