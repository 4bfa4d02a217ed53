"""Rehearsal tier: what leads on after a kill leads on with the state in a bucket, as with files."""

import asyncio
from collections.abc import Iterator, Mapping

import httpx
import pytest

from daskfleet.access.state_lock import Holder
from daskfleet.google_cloud.bearer import Access
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.locks import in_bucket
from rehearsal.emulator import Latency
from rehearsal.toolchain import Binaries
from tests.faults.catalogue import catalogue
from tests.faults.engine_state import NO_PROCESS, EngineState
from tests.faults.fleets import Name
from tests.faults.google_stage import GoogleStage, google_stage
from tests.faults.run_case import Picture, run_case
from tests.state_bucket import NAME, StateBucket, state_bucket

pytestmark = pytest.mark.rehearsal

CASES = {case.id: case for case in catalogue()}
IN_A_BUCKET = (
    "SIGKILL of up: after first pool",
    "SIGKILL of up: before default pool's removal",
    "SIGKILL of destroy: before cluster",
    "SIGINT of up: before cluster",
)


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
