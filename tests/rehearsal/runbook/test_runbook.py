"""End to end: every page of the runbook, and what guides say of the rehearsal, followed on one."""

import json
import re
import shlex
from collections.abc import Callable, Iterator

import pytest
from _pytest.mark import ParameterSet

from components.gates.readiness import HANDLER_PROGRESS
from rehearsal.toolchain import Binaries
from tests.guides.ledger import Typed, guides_typed, to_type
from tests.rehearsal.end_to_end.objects import (
    refusing_deployments_in,
    squatter,
    until_deployments_are_refused,
)
from tests.rehearsal.runbook.checkout import Checkout
from tests.rehearsal.runbook.pages import RUNBOOK, Edit, Page, pages
from tests.warm_python.fixtures import cold_python

pytestmark = pytest.mark.rehearsal

PAGES = pages(RUNBOOK.read_text("utf-8"))


def lose_the_state(checkout: Checkout) -> None:
    """Cut the stack's checkpoint off in the middle."""
    state = (
        checkout.directory / ".rehearsal/rehearsal/state/.pulumi/stacks/daskfleet/rehearsal.json"
    )
    state.write_text(state.read_text("utf-8")[:1000], "utf-8")


def take_a_gpu(checkout: Checkout) -> None:
    """Let somebody else's pod take a GPU of climate's pool, and the team not wait long for it."""
    patience = "ready_timeout_s: {}\n      labels: {{cost-center: cc-1001}}"
    checkout.follow(Edit(before=patience.format(120), after=patience.format(20)))
    pod = json.dumps(squatter(0, "a100-fixed"))
    checkout.run(f"kubectl create --filename - <<< {shlex.quote(pod)}")


def run_out_of_a100(checkout: Checkout) -> None:
    """Let the zone have no machine for one attempt to grow a pool."""
    checkout.inject({"kind": "stockout", "pool": "a100-fixed"})


def let_a_deletion_hang(checkout: Checkout) -> None:
    """Delete a Dask cluster while the operator fails to create what it should have."""
    for document in refusing_deployments_in("genomics"):
        checkout.run(f"kubectl create --filename - <<< {shlex.quote(json.dumps(document))}")
    until_deployments_are_refused(checkout.kubeconfig)
    kubectl = "kubectl --namespace genomics"
    checkout.run(f"{kubectl} delete deployment genomics-scheduler")
    checkout.run(
        f"{kubectl} patch daskcluster genomics --type merge "
        """--patch '{"status": {"phase": "Created"}}'"""
    )
    noted = HANDLER_PROGRESS.replace(".", r"\.")
    checkout.run(
        f"{kubectl} wait --for=jsonpath='{{.metadata.annotations.{noted}}}' --timeout=180s "
        "daskcluster/genomics"
    )
    checkout.run(f"{kubectl} delete --wait=false daskcluster genomics")


def scale_by_hand(checkout: Checkout) -> None:
    """Let a user have one worker more."""
    checkout.run("kubectl --namespace climate scale --replicas 3 daskcluster/climate")


def kill_up_while_it_creates_a_pool(checkout: Checkout) -> None:
    """Leave a pool in Google Cloud of which the state knows only that it was begun."""
    pool = "    - {name: more, machine_type: a2-highgpu-1g, gpus_per_node: 1}\n"
    first = "  daskfleet:worker_pools:\n"
    checkout.follow(Edit(before=first, after=first + pool))
    creation = {"method": "POST", "path": "/nodePools$"}
    checkout.inject({"kind": "hold", "when": "after", **creation})
    with checkout.started("exec pulumi up --yes --skip-preview") as up:
        checkout.wait_for_held_request()
        up.kill()
    checkout.release_held_requests()


def let_gke_upgrade(checkout: Checkout) -> None:
    """Let it be the morning after a night in which GKE has upgraded everything."""
    checkout.emulator("upgrade", {"version": "1.36.4-gke.1000000"})


GIVEN: dict[str, Callable[[Checkout], None]] = {
    "Upgrade GKE": let_gke_upgrade,
    "`up` did not end": kill_up_while_it_creates_a_pool,
    "`up` is stuck": take_a_gpu,
    "A DaskCluster is not deleted": let_a_deletion_hang,
    "A GPU is out of stock": run_out_of_a100,
    "Restore the state": lose_the_state,
    "Something differs from the stack file": scale_by_hand,
}
"""What has gone wrong before somebody opens a page."""

DECLARED = {
    # As production's: the rehearsal's is not protected.
    "Take a fleet down": [Edit(before="long_lived: false", after="long_lived: true")],
}
"""What is different in the stack file of whoever opens a page."""


COLD_PAGE = "Change an image"
"""The one that is also followed at one commit of three with a Python that starts as a user's does:
it takes minutes. The other pages come at fewer."""


@pytest.fixture(scope="module")
def warm(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checkout]:
    """A copy of the project with its rehearsal up, and a Python that is warm."""
    del binaries  # built with visible progress before the first page
    made = Checkout(tmp_path_factory.mktemp("runbook"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def cold(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checkout]:
    """The same, with a Python that starts as a user's does."""
    del binaries
    with cold_python():
        made = Checkout(tmp_path_factory.mktemp("runbook-cold"))
    yield made
    made.close()


def parameters() -> Iterator[ParameterSet]:
    """Each page warm, and then each page cold."""
    for page in PAGES:
        yield pytest.param("warm", page, id=page.title, marks=pytest.mark.soak(every=3))
    for page in PAGES:
        turn = {"files": 3, "every": 1} if page.title == COLD_PAGE else {"files": 10}
        marks = pytest.mark.soak(**turn)
        yield pytest.param("cold", page, id=f"{page.title}, cold", marks=marks)


def test_the_page_that_is_followed_cold_is_in_the_book() -> None:
    assert COLD_PAGE in {page.title for page in PAGES}


# By their names: pytest makes a fixture that is parametrized anew for each page, of one value too.
@pytest.mark.parametrize(("python", "page"), [*parameters()])
def test_a_page_does_what_it_says(python: str, page: Page, request: pytest.FixtureRequest) -> None:
    checkout: Checkout = request.getfixturevalue(python)
    checkout.begin(*DECLARED.get(page.title, ()))
    if page.title in GIVEN:
        GIVEN[page.title](checkout)
    for step in page.steps:
        checkout.follow(step)


@pytest.mark.soak(every=3)
@pytest.mark.parametrize("guide", guides_typed(Typed.ON_THE_REHEARSAL))
def test_a_guide_does_what_it_says(guide: str, warm: Checkout) -> None:
    warm.begin()
    commands = to_type(guide, Typed.ON_THE_REHEARSAL)
    # In one shell: what the first lines of a page set holds for the others. On the stack that is
    # rehearsed here, which the commands take by themselves.
    script = "\n".join(command.text for command in commands)
    warm.run(re.sub("--(stack|rehearsal) prod", "", script))
