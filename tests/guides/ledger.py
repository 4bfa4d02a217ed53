"""Which test types which command of a guide, and why none types the others."""

from collections.abc import Iterator, Mapping
from enum import Enum, auto

from tests.guides.typed import commands_of
from tests.rehearsal.runbook.pages import Command


class Typed(Enum):
    """Where a test types a command."""

    WITHOUT_A_FLEET = auto()
    """tests/guides/test_without_a_fleet.py"""

    ON_THE_SHOWCASE = auto()
    """tests/rehearsal/showcase/test_guides.py: real Dask, and every optional feature."""

    ON_THE_REHEARSAL = auto()
    """tests/rehearsal/runbook/test_runbook.py: the commands of the rehearsal itself."""

    FROM_THE_PAGE = auto()
    """A test of that page alone, which reads its blocks: `TESTS_OF_PAGES`."""


GOOGLE = "It asks Google Cloud, with somebody's account."
CODE_HOST = "It asks GitHub, with somebody's account."
INSTALLS = "It downloads what tests have installed before they begin."
ADDRESS = "No address has a daskfleet yet; tests/package installs the wheel that it would have."
FIXTURE = "A rehearsal of a test begins or ends by it: tests/rehearsal/runbook/checkout.py."
BACKEND = "It needs a state in a bucket; tests/workflows runs the scripts that do without."
RUNBOOK = "Every page of the runbook does this."
OWN_TEST = "tests/rehearsal/end_to_end has a file about it, with more cases than the page."
DOCTOR = "It asks Google Cloud; tests/daskfleet/platform/doctor asks the emulator."
RESTARTED = (
    "No worker of a healthy fleet has restarted; tests/daskfleet/team/logs has one that did."
)
ALL_TEAMS = "tests/rehearsal/real_dask/test_status.py types it, of the rehearsal's own stack."
RECYCLED = "tests/rehearsal/showcase/test_recycle.py asks, of a team that recycles."
DRAWN = "tests/rehearsal/showcase/test_report.py types it, of the showcase."
ALL_STACKS = (
    "It needs several stacks; tests/daskfleet/platform/report/running types it, of made-up ones."
)
SERVED = "It goes on; tests/daskfleet/platform/report/serve has it, over a fleet that changes."
REGISTRIES = "It copies between registries; tests/daskfleet/platform/images reads what it is given."
SSH = (
    "It needs a second machine; tests/daskfleet/platform/report/serve asks by the name that it has."
)
SIGN_ON = "It needs Google's load balancer; tests/guides/test_sign_on.py reads what the page shows."
LONG = "Minutes: tests/rehearsal/end_to_end/test_commands.py does this with production's file."

TESTS_OF_PAGES = {
    "docs/adopt.md": "tests/rehearsal/end_to_end/test_beside_another_cluster.py",
    "docs/health.md": "tests/rehearsal/showcase/test_gpu_health.py",
    "docs/keys.md": "tests/daskfleet/platform/doctor/test_page_of_keys.py",
    "docs/network.md": "tests/rehearsal/end_to_end/test_shared_vpc.py",
    "docs/registry.md": "tests/rehearsal/end_to_end/test_registry.py",
    "docs/secrets.md": "tests/rehearsal/end_to_end/test_registry.py",
    "docs/volumes.md": "tests/rehearsal/end_to_end/test_volumes.py",
}
"""Pages that have a test of their own, which types them."""

PAGE = Typed.FROM_THE_PAGE
SHOWCASE = Typed.ON_THE_SHOWCASE
REHEARSAL = Typed.ON_THE_REHEARSAL
NO_FLEET = Typed.WITHOUT_A_FLEET

LEDGER: Mapping[str, Mapping[str, Typed | str]] = {
    "README.md": {
        "git clone ": INSTALLS,
        "make rehearse": INSTALLS,
        "source .venv/bin/activate": REHEARSAL,
        "eval ": REHEARSAL,
        "kubectl get pods -A; pulumi preview": REHEARSAL,
        "python -c": SHOWCASE,
        "daskfleet rehearse down": FIXTURE,
        "daskfleet review --stack prod": OWN_TEST,
    },
    "docs/connect.md": {
        "pip install git+ADDRESS": ADDRESS,
        "daskfleet environment fraud": SHOWCASE,
        "python3.13 -m venv": INSTALLS,
        "fits/bin/pip install": ADDRESS,
        "gcloud ": GOOGLE,
        "daskfleet status fraud": SHOWCASE,
        "daskfleet connect fraud": SHOWCASE,
        "kubectl --namespace fraud get configmap": SHOWCASE,
    },
    "docs/jupyter.md": {
        "daskfleet connect climate --jupyter\n": SHOWCASE,
        "kubectl --namespace climate get secret": SHOWCASE,
        "kubectl --namespace climate port-forward": SHOWCASE,
        "daskfleet connect climate --jupyter-of alice": SHOWCASE,
    },
    "docs/image.md": {"gcloud ": GOOGLE},
    "docs/status.md": {
        "daskfleet status fraud": SHOWCASE,
        "daskfleet status --stack prod": ALL_TEAMS,
        "daskfleet logs fraud   ": SHOWCASE,
        "daskfleet logs fraud scheduler --follow": SHOWCASE,
        "daskfleet logs fraud fraud-default-worker": RESTARTED,
    },
    "docs/ephemeral.md": {"daskfleet cluster-spec": SHOWCASE, "kubectl ": SHOWCASE},
    "docs/tls.md": {"daskfleet connect fraud": SHOWCASE, "kubectl ": SHOWCASE},
    "docs/first-environment.md": {
        "gcloud ": GOOGLE,
        "pulumi login gs:": GOOGLE,
        "pulumi stack init": GOOGLE,
        "make setup": INSTALLS,
        "source .venv/bin/activate": REHEARSAL,
        "daskfleet cost": NO_FLEET,
        "daskfleet rehearse up --stack research --dask place": LONG,
        "daskfleet doctor": DOCTOR,
        "pulumi preview": RUNBOOK,
        "pulumi up": RUNBOOK,
    },
    "docs/network.md": {
        **dict.fromkeys(("daskfleet ", "eval ", "curl "), PAGE),
        **dict.fromkeys(("host=", "projects=", "number=", "gke=", "machines="), PAGE),
        **dict.fromkeys(("use=", "user=", "at="), PAGE),
    },
    "docs/keys.md": {
        "daskfleet rehearse up": FIXTURE,
        "eval ": FIXTURE,
        **dict.fromkeys(("rings=", "project=", "number=", "role=", "use="), PAGE),
        **dict.fromkeys(("nodes=", "secrets=", "curl "), PAGE),
    },
    "docs/review.md": {"make policies": INSTALLS, "daskfleet review": OWN_TEST},
    "policies/README.md": {"make policies": INSTALLS, "pulumi preview --policy-pack": OWN_TEST},
    "docs/health.md": {"kubectl ": PAGE, "gcloud ": GOOGLE},
    "docs/recycle.md": {"daskfleet status fraud": RECYCLED},
    "docs/registry.md": {
        "daskfleet images --stack prod\n": NO_FLEET,
        "daskfleet images --stack prod --copies": REGISTRIES,
        "kubectl --namespace climate create secret": PAGE,
        "kubectl --namespace kube-system create configmap": PAGE,
        "kubectl --namespace climate get pods": PAGE,
    },
    "docs/secrets.md": {"kubectl --namespace climate create secret": PAGE},
    "docs/adopt.md": {"gcloud ": GOOGLE, "daskfleet draft ": PAGE},
    "docs/sign-on.md": {"gcloud ": GOOGLE, "kubectl ": SIGN_ON, "curl ": SIGN_ON},
    "docs/volumes.md": {
        **dict.fromkeys(("kubectl apply -f reference.yaml", "sed s/climate/genomics/"), PAGE),
        "kubectl --namespace climate get persistentvolumeclaims": PAGE,
    },
    "docs/checks.md": {"daskfleet verify": SHOWCASE, "daskfleet drift": SHOWCASE},
    "docs/rollouts.md": {"daskfleet history": OWN_TEST},
    "docs/cost.md": {
        "daskfleet cost --stack prod\n": NO_FLEET,
        "daskfleet cost --stack prod --refresh": GOOGLE,
        "daskfleet cost --stack dev --actual": GOOGLE,
        "git diff ": GOOGLE,
    },
    "docs/fleets.md": {"daskfleet release": OWN_TEST, "daskfleet settings": NO_FLEET},
    "docs/report.md": {
        "daskfleet report --stack prod": DRAWN,
        "daskfleet report --all": ALL_STACKS,
        "daskfleet serve --stack prod": SERVED,
        "ssh ": SSH,
    },
    "docs/monitoring.md": {"kubectl ": SHOWCASE},
    "docs/github.md": {
        "mkdir fleet": ADDRESS,
        "pulumi new": ADDRESS,
        "gcloud ": GOOGLE,
        "gh ": CODE_HOST,
        "for ": CODE_HOST,
    },
    "docs/gitlab.md": {"gcloud ": GOOGLE},
    "rehearsal/README.md": {
        "daskfleet rehearse up  ": FIXTURE,
        "eval ": REHEARSAL,
        "pulumi preview": REHEARSAL,
        "kubectl get pods --all-namespaces": REHEARSAL,
        "daskfleet rehearse status": REHEARSAL,
        "daskfleet report": REHEARSAL,
        "daskfleet rehearse save": REHEARSAL,
        "daskfleet rehearse up --from": OWN_TEST,
        "daskfleet rehearse down": FIXTURE,
        "kubectl -n climate": SHOWCASE,
    },
}
"""How commands begin, by guide. Every command of a guide begins as one of its entries, and as no
other of them."""


def entries_of(guide: str, command: Command) -> list[str]:
    """The entries as which a command begins."""
    text = f"{command.text}\n"
    return [beginning for beginning in LEDGER.get(guide, {}) if text.startswith(beginning)]


def guides_typed(where: Typed) -> list[str]:
    """The guides of which a test types something there."""
    return [guide for guide, entries in LEDGER.items() if where in entries.values()]


def to_type(guide: str, where: Typed) -> Iterator[Command]:
    """What a test types there, in the order of the page."""
    for command in commands_of(guide):
        (entry,) = entries_of(guide, command)
        if LEDGER[guide][entry] is where:
            yield command
