"""Pure: the names that the program gives to what it makes, and whether somebody has them."""

from collections.abc import Collection
from dataclasses import dataclass

from daskfleet.google_cloud.endpoints import Api
from daskfleet.planning.node_account import account_id
from daskfleet.platform.doctor.answers import Answer, Cluster, Exists
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class Named:
    """A resource that is called by a name which the program chooses."""

    kind: str
    name: str
    api: Api
    path: str
    """Where it is, after the API's version."""
    state_id: str
    """The ID that the provider gives it in the state."""
    answer: type[Answer] = Exists


def named_resources(stack: Stack) -> tuple[Named, ...]:
    """All that must not exist before the first ``up``."""
    project, base = stack.project, stack.cluster.name
    region = f"projects/{project}/regions/{stack.region}"
    vpc = f"projects/{project}/global/networks/{base}"
    cluster = f"projects/{project}/locations/{stack.location}/clusters/{base}"
    email = f"{account_id(base)}@{project}.iam.gserviceaccount.com"
    account = f"projects/{project}/serviceAccounts/{email}"
    made = (
        ("network", base, vpc),
        ("subnetwork", f"{base}-nodes", f"{region}/subnetworks/{base}-nodes"),
    )
    nat = (("router", f"{base}-router", f"{region}/routers/{base}-router"),)
    network = stack.network
    compute = (*(() if network.existing else made), *(nat if network.has_own_nat else ()))
    return (
        Named(
            kind="GKE cluster",
            name=base,
            api="container",
            path=cluster,
            state_id=cluster,
            answer=Cluster,
        ),
        *(
            Named(kind=kind, name=name, api="compute", path=path, state_id=path)
            for kind, name, path in compute
        ),
        Named(kind="service account", name=email, api="iam", path=account, state_id=account),
    )


def name_finding(named: Named, *, exists: bool, own: Collection[str] | None, stack: str) -> Finding:
    """Judge one name. ``own``: IDs of the stack's state; None where it could not be read."""
    subject = f"{named.kind} {named.name}"
    if not exists or (own is not None and named.state_id in own):
        return Finding(
            area=Area.NAMES,
            subject=subject,
            outcome=Outcome.OK,
            needed="free, or this stack's",
            there="this stack's" if exists else "free",
        )
    if own is None:
        return Finding(
            area=Area.NAMES,
            subject=subject,
            outcome=Outcome.NOT_LOOKED_AT,
            there="it exists. Only the stack's state tells whose it is, and the state was not read",
        )
    return Finding(
        area=Area.NAMES,
        subject=subject,
        outcome=Outcome.WRONG,
        needed="free, or this stack's",
        there="exists, and the stack's state does not have it",
        fix="Choose another cluster.name: the names of all of them follow it. If a killed "
        "`pulumi up` of this stack made it, take it into the state instead.",
        command=f"daskfleet recover --stack {stack} --existing",
    )
