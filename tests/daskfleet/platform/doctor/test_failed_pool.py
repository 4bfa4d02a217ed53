"""Unit: why a pool has just failed, in one sentence."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from daskfleet.planning.node_pool_spec import NodePoolSpec, gpu_pool_specs
from daskfleet.platform.doctor.answers import NodePool
from daskfleet.platform.doctor.errors import NotLookedAtError, NotThereError
from daskfleet.platform.doctor.failed_pool import LOOK_AGAIN, ask_for_pool, why_it_failed
from daskfleet.platform.doctor.pools import MADE_ANEW, WHAT_TO_DO
from daskfleet.settings.stack import Stack
from tests.daskfleet.platform.doctor.examined import Machine
from tests.setting_changes import BASE

STACK = Stack.model_validate(BASE)
SPEC: NodePoolSpec = gpu_pool_specs(STACK)[1]
ANSWER: dict[str, Any] = {
    "name": SPEC.generation.name,
    "status": "RUNNING_WITH_ERROR",
    "locations": [STACK.zone],
    "config": {
        "machineType": "a2-highgpu-2g",
        "diskSizeGb": 100,
        "accelerators": [{"acceleratorType": "nvidia-tesla-a100", "acceleratorCount": "2"}],
    },
    "conditions": [{"code": "GCE_STOCKOUT", "message": "Try a different zone."}],
}
WHERE = f"node pool {SPEC.generation.name} in {STACK.zone}, a2-highgpu-2g with 2 nvidia-tesla-a100"


def answering(answer: dict[str, Any] | Exception) -> Callable[[], Awaitable[NodePool]]:
    """Google, with one answer about the pool."""

    async def ask() -> NodePool:
        if isinstance(answer, Exception):
            raise answer
        return NodePool.model_validate(answer)

    return ask


def said_of(answer: dict[str, Any] | Exception) -> str:
    """The sentence."""
    return asyncio.run(why_it_failed(SPEC, STACK, ask=answering(answer)))


def test_a_stock_out_is_told_with_gpu_zone_reason_and_what_to_do() -> None:
    assert said_of(ANSWER) == (
        f"{WHERE}: RUNNING_WITH_ERROR: GCE_STOCKOUT: Try a different zone. "
        f"{WHAT_TO_DO['GCE_STOCKOUT']}"
    )


def test_a_reason_is_told_while_gke_still_tries() -> None:
    said = said_of({**ANSWER, "status": "PROVISIONING"})

    assert "PROVISIONING: GCE_STOCKOUT" in said


def test_a_pool_that_is_of_no_use_is_made_anew() -> None:
    said = said_of({**ANSWER, "status": "ERROR", "conditions": [], "statusMessage": "no subnet"})

    assert said == f"{WHERE}: ERROR: no subnet. {MADE_ANEW}"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (NotThereError("404"), "Google has made no such pool, for the reason in the provider's"),
        (NotLookedAtError("no answer of container.googleapis.com"), "could not be asked why: no"),
        (RuntimeError("invoke of getClientConfig failed"), "could not be asked why: invoke of"),
        ({**ANSWER, "status": "RUNNING", "conditions": []}, "it is RUNNING and gives no other"),
        ({"name": "what Google has never answered"}, "could not be asked why: "),
    ],
    ids=["none", "no answer", "no login", "no reason", "nonsense"],
)
def test_what_google_does_not_say_is_not_made_up(
    answer: dict[str, Any] | Exception, words: str
) -> None:
    said = said_of(answer)

    assert said.startswith(f"{WHERE}: ")
    assert words in said
    assert said.endswith(LOOK_AGAIN)


def test_it_does_not_wait_longer_than_its_limit() -> None:
    async def never() -> NodePool:
        await asyncio.Event().wait()
        raise AssertionError

    said = asyncio.run(why_it_failed(SPEC, STACK, ask=never, time_limit_s=0.01))

    assert "Google gave no reason within" in said


def test_the_emulated_gke_is_asked_for_the_pool_of_that_name(well: Machine) -> None:
    clusters = f"projects/{STACK.project}/locations/{STACK.location}/clusters"
    own = f"{clusters}/{STACK.cluster.name}"
    pool = {"name": "a100", "initialNodeCount": 1, "config": {"machineType": "e2-standard-4"}}
    cluster = {"name": STACK.cluster.name, "initialNodeCount": 1}
    well.google("POST", f"container/v1/{clusters}", {"cluster": cluster})
    well.fail({"kind": "stockout", "pool": "a100", "times": 100})
    well.google("POST", f"container/v1/{own}/nodePools", {"nodePool": pool})

    token = well.environment["GOOGLE_OAUTH_ACCESS_TOKEN"]

    def asked(name: str) -> NodePool:
        asking = ask_for_pool(name, STACK, token=token, environment=well.environment)
        return asyncio.run(asking)

    assert [each.code for each in asked("a100").conditions] == ["GCE_STOCKOUT"]
    with pytest.raises(NotThereError):
        asked("another")


@pytest.mark.parametrize("token", ["ya29.secret\n", "ya29.secret\xe9"])
def test_a_token_that_is_none_is_not_shown(well: Machine, token: str) -> None:
    asking = ask_for_pool("a100", STACK, token=token, environment=well.environment)

    with pytest.raises(NotLookedAtError, match="no request can carry") as raised:
        asyncio.run(asking)

    assert "ya29" not in repr(raised.value)
    assert raised.value.__suppress_context__


def test_the_program_needs_nothing_for_it_that_its_requirements_lack() -> None:
    """They have no google-auth: the token comes from the provider."""
    load = "import daskfleet.platform.doctor.failed_pool, sys; print('google.auth' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    "answer",
    [
        RuntimeError("no \x1b[2J" + "x" * 5000),
        {**ANSWER, "conditions": [{"code": "GCE", "message": "no\n\x1b[2J" + "x" * 5000}]},
    ],
    ids=["an error", "a condition"],
)
def test_what_google_says_stays_one_sentence(answer: dict[str, Any] | Exception) -> None:
    said = said_of(answer)
    assert said.isprintable()
    assert len(said) < 1500
    assert said.endswith((LOOK_AGAIN, MADE_ANEW, "run `pulumi up` again."))
