"""Unit: the operator's own controller, loaded as its pod loads it."""

import subprocess
import sys
from types import ModuleType

import pytest

from in_cluster.operator_http.guard import take_the_place
from tests.project import PROJECT_DIR

LOADED = """
import asyncio
from kopf._cogs.helpers.loaders import preload
preload(["in_cluster/guarded_operator.py"], ["dask_kubernetes.operator.controller"])
from dask_kubernetes.operator.controller import controller
from dask_kubernetes.operator import networking
for name in ("retire_workers", "check_scheduler_idle", "get_desired_workers"):
    print(name, getattr(controller, name).__module__)
for module in (controller, networking):
    try:
        module.rpc("tcp://127.0.0.1:1")
    except RuntimeError as error:
        print(module.__name__, error)
try:
    asyncio.run(networking.wait_for_scheduler_comm("tcp://127.0.0.1:1"))
except RuntimeError as error:
    print(error)
"""
NOTES = """
import kopf
from kopf._cogs.helpers.loaders import preload
from kopf._core.intents.causes import Activity
preload(["in_cluster/guarded_operator.py"], ["dask_kubernetes.operator.controller"])
settings = kopf.OperatorSettings()
for handler in kopf.get_default_registry()._activities.get_handlers(activity=Activity.STARTUP):
    if handler.id == "keep_notes_in_annotations":
        handler.fn(settings=settings)
print(type(settings.persistence.progress_storage).__name__)
"""
LETS_GO = """
import kopf
from in_cluster.guarded_operator import let_go
for meta in ({"deletionTimestamp": "2026-11-23T12:00:00Z"}, {}):
    patch = kopf.Patch()
    let_go(meta=meta, patch=patch)
    print(dict(patch))
"""
OWN = "in_cluster.operator_http.asking"
SAYS_NO = "the operator speaks no Dask protocol"


def test_the_real_controller_asks_by_http_alone() -> None:
    lines = said_by(LOADED)
    assert lines[:3] == [
        f"retire_workers {OWN}",
        f"check_scheduler_idle {OWN}",
        f"get_desired_workers {OWN}",
    ]
    assert len(lines) == 6
    assert all(SAYS_NO in line for line in lines[3:])


def test_only_a_cluster_that_is_being_deleted_is_let_go() -> None:
    noted = "kopf.zalando.org/daskcluster_create_components.status.phase"
    gone = {"status": {"phase": "Error"}, "metadata": {"annotations": {noted: None}}}

    assert said_by(LETS_GO) == [str(gone), "{}"]


def test_kopf_keeps_its_notes_out_of_what_the_operator_may_not_write() -> None:
    assert said_by(NOTES) == ["AnnotationsProgressStorage"]


def said_by(program: str) -> list[str]:
    """Run it in a process of its own: what it loads stays changed."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PROJECT_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_another_controller_does_not_start() -> None:
    with pytest.raises(ImportError, match="retire_workers is not as in dask-kubernetes"):
        take_the_place(ModuleType("controller"))


def test_a_controller_that_was_loaded_before_does_not_start() -> None:
    controller = ModuleType("controller")
    vars(controller)["rpc"] = print
    with pytest.raises(ImportError, match="loaded before"):
        take_the_place(controller)
