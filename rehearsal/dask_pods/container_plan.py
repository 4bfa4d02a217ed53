"""Pure: what one container comes to on this machine, before anything is started."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import defpath, pathsep
from pathlib import Path
from typing import Any

from rehearsal.dask_pods.cluster_names import PYTHON_PATH, finds_services_by
from rehearsal.dask_pods.cpu_equivalent import local_command
from rehearsal.dask_pods.model import Document, Mounted, PodPlace
from rehearsal.dask_pods.probe_spec import Exec, ProbeSpec, probes_of
from rehearsal.dask_pods.variables import Variables, expand, variables_of
from rehearsal.dask_pods.volumes import LocalPaths, mounts_of

DASK_ROOT_CONFIG = "DASK_ROOT_CONFIG"
DASK_ROOT_CONFIG_DEFAULT = "/etc/dask"
"""Where Dask looks for configuration by itself (dask/config.py): a mount there must be found."""

SELDOM = {
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__WORKER__PROFILE__INTERVAL": "200ms",
}
"""How often Dask's processes look at themselves: 50 and 100 times a second by default, which takes
an idle scheduler and its worker 7.5 % of a core, and so 1.8 % (distributed 2026.8.0)."""


@dataclass(frozen=True, kw_only=True)
class ContainerPlan:
    """One container, ready to start."""

    name: str
    image: str
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    shown_environment: Mapping[str, str]
    """The environment without what came from Secrets."""
    directory: Path
    """Where it starts."""
    probes: tuple[ProbeSpec, ...]
    departures: tuple[str, ...]


def home_of(place: PodPlace) -> Path:
    """Give the pod's home directory."""
    return place.directory / "home"


def scratch_of(place: PodPlace) -> Path:
    """Give the pod's directory for temporary files."""
    return place.directory / "tmp"


def plan_container(
    pod: Document, container: Document, *, place: PodPlace, mounted: Mounted
) -> ContainerPlan:
    """Work out what runs. Raises ConfigError for what the kubelet would refuse."""
    local = mounts_of(container, place=place)
    variables = variables_of(pod, container, place=place, mounted=mounted)
    # The kubelet expands these with the environment as the container would see it.
    words = [
        expand(word, variables.values)
        for word in (*container.get("command", ()), *container.get("args", ()))
    ]
    command = local_command(
        [local(word) for word in words],
        image=container["image"],
        loopback=place.address.loopback,
        variables=variables.shown,
    )
    seldom = _seldom(variables) if command.is_dask else {}
    environment = {**seldom, **_environment(pod, variables, local, place)}
    directory, no_directory = _directory(container, local, place)
    return ContainerPlan(
        name=container["name"],
        image=container["image"],
        argv=command.argv,
        environment=environment,
        shown_environment={
            name: value for name, value in environment.items() if name not in variables.secret
        },
        directory=directory,
        probes=tuple(_with_local_paths(probe, local) for probe in probes_of(container)),
        departures=(
            *command.departures,
            *_said_of(seldom),
            *_moved(local),
            *no_directory,
            *_not_done(pod, container),
        ),
    )


def _seldom(variables: Variables) -> dict[str, str]:
    return {name: often for name, often in SELDOM.items() if name not in variables.values}


def _said_of(seldom: Mapping[str, str]) -> tuple[str, ...]:
    if not seldom:
        return ()
    settings = " and ".join(f"{name}={value}" for name, value in seldom.items())
    return (f"{settings}, since this machine runs all",)


def _environment(
    pod: Document, variables: Variables, local: LocalPaths, place: PodPlace
) -> dict[str, str]:
    own = {name: local(value) for name, value in variables.values.items()}
    if DASK_ROOT_CONFIG not in own and local(DASK_ROOT_CONFIG_DEFAULT) != DASK_ROOT_CONFIG_DEFAULT:
        own[DASK_ROOT_CONFIG] = local(DASK_ROOT_CONFIG_DEFAULT)
    found_by = finds_services_by(place.hosts_file)
    return {
        # A container runtime sets it, and a kubelet the others; a pod may set them otherwise.
        "HOSTNAME": pod["metadata"]["name"],
        "KUBERNETES_SERVICE_HOST": place.api_server[0],
        "KUBERNETES_SERVICE_PORT": place.api_server[1],
        **own,
        # A home or a temporary directory named by the image or the pod may be somebody's here,
        # unless it is a volume of the pod.
        "HOME": own["HOME"] if _is_moved("HOME", own, variables) else str(home_of(place)),
        "TMPDIR": str(scratch_of(place)),
        "PATH": _joined(str(place.python.parent), own.get("PATH", defpath)),
        "PYTHONUNBUFFERED": "1",
        **found_by,
        PYTHON_PATH: _joined(found_by[PYTHON_PATH], own.get(PYTHON_PATH, "")),
    }


def _is_moved(name: str, own: Mapping[str, str], variables: Variables) -> bool:
    return name in own and own[name] != variables.values[name]


def _joined(first: str, others: str) -> str:
    return pathsep.join((first, others)) if others else first


def _directory(
    container: Mapping[str, Any], local: LocalPaths, place: PodPlace
) -> tuple[Path, tuple[str, ...]]:
    asked = container.get("workingDir")
    if not asked:
        return home_of(place), ()
    here = local(asked)
    if here != asked:
        return Path(here), ()
    return home_of(place), (f"works in its home in place of {asked}, which is in the image",)


def _moved(local: LocalPaths) -> tuple[str, ...]:
    return tuple(f"{mount_path} is {directory}" for mount_path, directory in local)


def _not_done(pod: Document, container: Document) -> tuple[str, ...]:
    init = (c["name"] for c in pod["spec"].get("initContainers", ()))
    hooks = container.get("lifecycle") or {}
    return (
        *(f"init container {name} is not run" for name in init),
        *(f"the {hook} hook of {container['name']} is not run" for hook in sorted(hooks)),
    )


def _with_local_paths(probe: ProbeSpec, local: LocalPaths) -> ProbeSpec:
    if not isinstance(probe.handler, Exec):
        return probe
    argv = tuple(local(word) for word in probe.handler.argv)
    return replace(probe, handler=Exec(argv=argv))
