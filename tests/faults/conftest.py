"""The stage of the fast cases, once for all of them, and what clean runs on it lead to."""

from collections.abc import Iterator, Mapping

import pytest

from rehearsal.emulator import Latency
from rehearsal.toolchain import Binaries, ensure_toolchain
from tests.faults.catalogue import SLOWLY
from tests.faults.fleets import Name
from tests.faults.google_stage import GoogleStage, google_stage
from tests.faults.run_case import Picture, picture


@pytest.fixture(scope="session")
def binaries() -> Binaries:
    """Every executable of the rehearsal, built on first use."""
    return ensure_toolchain(progress=print)


@pytest.fixture(scope="session")
def stage(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GoogleStage]:
    """A stack on an emulated Google without Kubernetes."""
    directory = tmp_path_factory.mktemp("faults")
    with google_stage(directory, binaries=binaries, latency=Latency.fast()) as stage:
        yield stage


@pytest.fixture(scope="module")
def slow_stage(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GoogleStage]:
    """The same on a Google that takes its time."""
    directory = tmp_path_factory.mktemp("slow-faults")
    with google_stage(directory, binaries=binaries, latency=SLOWLY) as stage:
        yield stage


@pytest.fixture(scope="session")
def clean(stage: GoogleStage) -> Mapping[Name, Picture]:
    """Where runs without trouble lead."""
    pictures: dict[Name, Picture] = {}
    names: tuple[Name, ...] = ("fleet", "grown", "empty")
    for name in names:
        stage.bring_to(name)
        pictures[name] = picture(stage)
    # Protection is nothing that exists.
    return pictures | {"protected": pictures["grown"]}
