"""Rehearsal tier: what leads on after a kill leads on with the state in a bucket, as with files."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from typing import get_args

import httpx
import psutil
import pytest

from bench.state import ENGINE_SETTINGS
from daskfleet.access.state_lock import Holder
from daskfleet.google_cloud.bearer import Access
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.locks import in_bucket
from rehearsal.emulator import Latency
from rehearsal.toolchain import Binaries
from tests.faults.catalogue import catalogue
from tests.faults.engine_state import NO_PROCESS, EngineState
from tests.faults.fleets import Name
from tests.faults.google_stage import STACK, GoogleStage, google_stage
from tests.faults.held_saves import HeldSaves, Moment, Save, held_saves
from tests.faults.run_case import GONE_S, Picture, check, providers_of, run_case
from tests.state_bucket import NAME, StateBucket, free_address, state_bucket
from tests.tiers.long_files import LONG

pytestmark = LONG

CASES = {case.id: case for case in catalogue()}
IN_A_BUCKET = (
    "SIGKILL of up: after first pool",
    "SIGKILL of up: before default pool's removal",
    "SIGKILL of destroy: before cluster",
    "SIGINT of up: before cluster",
    "a lock was left, before destroy: this machine",
    "a lock was left, before destroy: another machine",
)

ENGINES: Mapping[str, Mapping[str, str]] = {
    name: ENGINE_SETTINGS[name] for name in ("as it is", "gzip")
}


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StateBucket]:
    """An empty bucket."""
    with state_bucket(tmp_path_factory.mktemp("bucket") / "buckets") as bucket:
        yield bucket


@pytest.fixture(scope="module")
def there(
    binaries: Binaries, bucket: StateBucket, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GoogleStage]:
    """A stack like that of the other cases, whose state is in the bucket."""
    directory = tmp_path_factory.mktemp("state-in-a-bucket")
    with google_stage(directory, binaries=binaries, latency=Latency.fast(), bucket=bucket) as stage:
        yield stage


@pytest.mark.parametrize("case", IN_A_BUCKET)
def test_the_same_commands_lead_on(
    case: str, there: GoogleStage, clean: Mapping[Name, Picture]
) -> None:
    try:
        run_case(there, CASES[case], clean)
    except BaseException:
        there.begin_anew()
        raise


MIDWAY = 9
"""A save of an `up` from nothing, which has more than twice as many."""


@pytest.fixture(scope="module", params=ENGINES)
def saving(
    request: pytest.FixtureRequest, binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[GoogleStage, HeldSaves]]:
    """Such a stack, and a hand on each save of its state; as the engine is, or with its gzip."""
    directory = tmp_path_factory.mktemp("killed-while-it-saves")
    address = free_address()
    with (
        held_saves(server=address, stack=STACK) as front,
        state_bucket(directory / "buckets", address=address, reached_at=front.address) as bucket,
        google_stage(
            directory,
            binaries=binaries,
            latency=Latency.fast(),
            bucket=bucket,
            engine_settings=ENGINES[request.param],
        ) as stage,
    ):
        assert stage.state.is_compressed == (request.param == "gzip")
        yield stage, front


@pytest.mark.parametrize("when", get_args(Moment))
def test_an_up_that_is_killed_while_it_saves_leaves_a_whole_state_and_recover_leads_on(
    when: Moment, saving: tuple[GoogleStage, HeldSaves], clean: Mapping[Name, Picture]
) -> None:
    stage, front = saving
    try:
        stage.bring_to("empty")
        stage.touched()
        kill_in_a_save(stage, front, Save(nth=MIDWAY, when=when))
        assert stage.state.locks, "whoever is killed leaves the lock"
        whole = stage.exported()
        assert whole["resources"]

        for command in (stage.recover("fleet"), stage.finish(stage.begin("fleet"))):
            assert command.exit_code == 0, command.said
        check(stage, "fleet", clean["fleet"])
        stage.arrived("fleet")
    except BaseException:
        front.let_go()
        stage.begin_anew()
        raise


def kill_in_a_save(stage: GoogleStage, front: HeldSaves, save: Save) -> None:
    """Begin an `up`, and kill the engine while this save is on its way."""
    front.hold(save)
    engine = stage.begin("fleet")
    while not front.has_one():
        assert engine.poll() is None, f"fewer saves: {stage.finish(engine).said}"
        time.sleep(0.02)
    providers = providers_of(engine.pid)
    engine.kill()
    stage.finish(engine)
    # What they had begun they may still do.
    _, alive = psutil.wait_procs(providers, timeout=GONE_S)
    assert not alive, "plugins outlive their engine"
    front.let_go()
    stage.let_gke_catch_up()


NOBODY = Access(token="t", kind="none")  # noqa: S106 - not one
"""The server asks for no credentials."""


async def seen_by_the_doctor(bucket: StateBucket, *, stack: str) -> tuple[Holder, ...]:
    endpoint = {"GOOGLE_STORAGE_CUSTOM_ENDPOINT": f"http://{bucket.address}/storage/v1/"}
    async with httpx.AsyncClient() as http:
        google = GoogleApi(http, environment=endpoint, access=NOBODY)
        return await in_bucket(f"gs://{NAME}", project="daskfleet", stack=stack, google=google)


def test_the_doctor_names_who_holds_a_lock_in_a_bucket(bucket: StateBucket) -> None:
    EngineState(bucket.directory, stack="left", put=bucket.put).leave_lock(host="a-runner")
    (holder,) = asyncio.run(seen_by_the_doctor(bucket, stack="left"))
    assert (holder.user, holder.host, holder.pid) == ("somebody", "a-runner", NO_PROCESS)
    assert asyncio.run(seen_by_the_doctor(bucket, stack="another")) == ()
