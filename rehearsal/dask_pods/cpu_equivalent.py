"""Pure: what a container runs on this machine, and how that differs from its own words.

Flags of `dask scheduler` and `dask worker` as distributed 2026.8.0 has them, those of `dask cuda
worker` as dask-cuda 26.10 (dask_cuda/cli.py).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from dask.config import interpret_value

from rehearsal.dask_pods.arguments import Arguments
from rehearsal.dask_pods.image_age import REMOVED, is_known_to_have_removed_commands

WORKER_MEMORY_LIMIT = "512MiB"
"""Per worker process. Dask pauses a worker at 80 % of its limit, and its nanny kills it at 95 %.
Idle it takes 50 MB (measured, distributed 2026.8.0), and a team's environment with pandas and
pyarrow adds some 150 MB: with 256 MiB it would pause before it has computed anything."""

_CUDA_WORKER = (("dask", "cuda", "worker"), ("dask-cuda-worker",))
_WORKER = (("dask", "worker"), ("dask-worker",))
_SCHEDULER = (("dask", "scheduler"), ("dask-scheduler",))
_JUPYTER = (("jupyter-lab",), ("jupyter", "lab"))

CUDA_VALUES = frozenset(
    {
        "--cudf-spill-stats",
        "--device-memory-limit",
        "--multiprocessing-method",
        "--pre-import",
        "--rmm-allocator-external-lib-list",
        "--rmm-initial-pool-size",
        "--rmm-log-directory",
        "--rmm-maximum-pool-size",
        "--rmm-pool-size",
        "--rmm-release-threshold",
    }
)
"""Flags of dask-cuda alone that take a value."""

CUDA_SWITCHES = frozenset(
    f"--{word}{name}"
    for words, name in (
        (("", "no-"), "rmm-async"),
        (("", "no-"), "rmm-managed-memory"),
        (("", "no-"), "rmm-track-allocations"),
        (("", "no-"), "shared-filesystem"),
        (("enable-", "disable-"), "cudf-spill"),
        (("enable-", "disable-"), "infiniband"),
        (("enable-", "disable-"), "jit-unspill"),
        (("enable-", "disable-"), "nvlink"),
        (("enable-", "disable-"), "rdmacm"),
        (("enable-", "disable-"), "tcp-over-ucx"),
    )
    for word in words
)

NANNY_PRELOAD = "DASK_DISTRIBUTED__NANNY__PRELOAD"
"""Nannies of `dask cuda worker` read it. Those of `dask worker` do not: an empty flag wins."""

_ADDRESS = re.compile(r"(?P<scheme>\w+://)?(?P<host>[^:/]*)(?P<port>:\d+)?")


@dataclass(frozen=True, kw_only=True)
class LocalCommand:
    """What runs here."""

    argv: tuple[str, ...]
    departures: tuple[str, ...] = ()
    """What differs from the pod's own words, in sentences."""
    is_dask: bool = False


def local_command(
    words: Sequence[str], *, image: str, loopback: str, variables: Mapping[str, str]
) -> LocalCommand:
    """Translate a container's command and arguments; what none of these is runs as it is.

    ``variables`` are the container's, without what came from Secrets.

    So does a command that Dask has removed, and finds no program, where the image is not known to
    be older: it would find none on GKE.
    """
    removed = words[0].rpartition("/")[2] if words else ""
    if removed in REMOVED and not is_known_to_have_removed_commands(image):
        untranslated = (
            f"{removed} is not translated: distributed has none since 2026.6.0, and the tag of "
            f"{image} does not say that it has an older one"
        )
        return LocalCommand(argv=tuple(words), departures=(untranslated,))
    for starts, translate in (
        (_CUDA_WORKER, partial(_cuda_worker, nanny_preload=variables.get(NANNY_PRELOAD, ""))),
        (_WORKER, _worker),
        (_SCHEDULER, _scheduler),
        (_JUPYTER, _jupyter),
    ):
        for start in starts:
            if _begins(words, start):
                arguments = Arguments(words[len(start) :])
                said: list[str] = []
                if removed in REMOVED:
                    said.append(
                        f"`{removed}` runs as `{removed.replace('-', ' ')}`: {image} still has it, "
                        "distributed since 2026.6.0 does not"
                    )
                argv = translate(arguments, loopback, said)
                return LocalCommand(argv=argv, departures=tuple(said), is_dask=True)
    return LocalCommand(argv=tuple(words))


def _begins(words: Sequence[str], start: Sequence[str]) -> bool:
    """Whether the words are that command, by its name or by a path to it."""
    program = words[0].rpartition("/")[2] if words else ""
    return (program, *words[1 : len(start)]) == tuple(start)


def _scheduler(arguments: Arguments, loopback: str, said: list[str]) -> tuple[str, ...]:
    _leave_interface(arguments, said)
    _listen(arguments, loopback, said)
    _dashboard(arguments, loopback, said, default=":8787")
    return ("dask", "scheduler", *arguments.words)


def _jupyter(arguments: Arguments, loopback: str, said: list[str]) -> tuple[str, ...]:
    _redirect(arguments, "--ServerApp.ip", loopback, said)
    said.append("--allow-root: here it runs as whoever runs the rehearsal")
    return ("jupyter-lab", "--allow-root", *arguments.words)


def _cuda_worker(
    arguments: Arguments, loopback: str, said: list[str], *, nanny_preload: str
) -> tuple[str, ...]:
    dropped = arguments.drop(CUDA_VALUES, takes_value=True)
    dropped += arguments.drop(CUDA_SWITCHES, takes_value=False)
    said.append("`dask cuda worker` runs as `dask worker`: there is no GPU here")
    if dropped:
        said.append(f"left out, since only dask-cuda knows them: {' '.join(dropped)}")
    if (arguments.value("--protocol") or "").startswith("ucx"):
        arguments.drop({"--protocol"}, takes_value=True)
        said.append("--protocol ucx runs as tcp: there is no UCX here")
    if arguments.value("--nthreads") is None:
        # dask-cuda's default; that of `dask worker` is every core.
        arguments.set("--nthreads", "1")
    if nanny_preload:
        said.append(f"{NANNY_PRELOAD} as --preload-nanny: `dask worker` heeds the flag alone")
    return (*_worker(arguments, loopback, said), *_preload_flags(nanny_preload))


def _preload_flags(setting: str) -> tuple[str, ...]:
    """One flag for each program that the variable has: it is a text, or a list of them."""
    value = interpret_value(setting) if setting else ()
    programs = (value,) if isinstance(value, str) else value
    return tuple(word for program in programs for word in ("--preload-nanny", program))


def _worker(arguments: Arguments, loopback: str, said: list[str]) -> tuple[str, ...]:
    _leave_interface(arguments, said)
    if arguments.value("--listen-address") is None:
        _listen(arguments, loopback, said)
    else:
        # `dask worker` takes one of the two.
        _redirect(arguments, "--listen-address", loopback, said)
    _dashboard(arguments, loopback, said, default=":0")
    said.append(
        f"--memory-limit {WORKER_MEMORY_LIMIT} in place of "
        f"{arguments.value('--memory-limit') or 'what the pod may use'}: this machine runs all"
    )
    arguments.set("--memory-limit", WORKER_MEMORY_LIMIT)
    return ("dask", "worker", *arguments.words)


def _leave_interface(arguments: Arguments, said: list[str]) -> None:
    if arguments.drop({"--interface"}, takes_value=True):
        said.append("left out --interface: a pod's interfaces are not this machine's")


def _listen(arguments: Arguments, loopback: str, said: list[str]) -> None:
    if arguments.value("--host") is None:
        arguments.set("--host", loopback)
        said.append(f"--host {loopback}, since this machine's other addresses are not the pod's")
    else:
        _redirect(arguments, "--host", loopback, said)


def _dashboard(arguments: Arguments, loopback: str, said: list[str], *, default: str) -> None:
    # Without a host Dask's dashboard listens on every interface.
    if arguments.value("--dashboard-address") is None:
        arguments.set("--dashboard-address", default)
    _redirect(arguments, "--dashboard-address", loopback, said)


def _redirect(arguments: Arguments, flag: str, loopback: str, said: list[str]) -> None:
    """Put the pod's loopback address in place of the flag's host; scheme and port stay."""
    asked = arguments.value(flag) or ""
    match = _ADDRESS.fullmatch(asked)
    parts: Mapping[str, str | None] = match.groupdict() if match else {}
    port = f":{asked}" if asked.isdigit() else parts.get("port") or ""
    here = f"{parts.get('scheme') or ''}{loopback}{port}"
    if here != asked:
        arguments.set(flag, here)
        said.append(f"{flag} {here} in place of {asked}")
