"""The verbs of ``daskfleet``, in the order in which people meet them."""

from dataclasses import dataclass

FOR_MEMBERS = "For members of a team"
FOR_ENGINEERS = "For platform engineers"
ON_THIS_MACHINE = "On this machine, without a cloud"
FOR_CI = "For CI"


@dataclass(frozen=True, kw_only=True)
class Verb:
    """One verb: who uses it, and where its code is, which is loaded when it is called."""

    users: str
    module: str
    name_in_module: str = "command"
    """A function, or a Typer application with verbs of its own."""

    help: str
    """The first line of its own help."""

    needs_checkout: bool = False
    """Whether it uses what is beside this package: the rehearsal, policies, manifests."""


VERBS = {
    "connect": Verb(
        users=FOR_MEMBERS,
        module="daskfleet.team.connect.cli",
        help="Hold a team's scheduler and dashboard at ports of this machine, until Ctrl-C.",
    ),
    "status": Verb(
        users=FOR_MEMBERS,
        module="daskfleet.team.status.cli",
        help="Say what a team's pods do, what they wait for, and who uses the cluster.",
    ),
    "logs": Verb(
        users=FOR_MEMBERS,
        module="daskfleet.team.logs.cli",
        help="Read the logs of a team's scheduler and workers.",
    ),
    "environment": Verb(
        users=FOR_MEMBERS,
        module="daskfleet.team.environment.cli",
        help="Print the environment in which Python is a client of a team's cluster.",
    ),
    "verify": Verb(
        users=FOR_MEMBERS,
        module="daskfleet.team.verify.cli",
        help="Check running clusters through Dask itself and the Kubernetes API.",
    ),
    "wake": Verb(
        users=FOR_MEMBERS,
        module="daskfleet.team.wake.cli",
        help="Bring a team's sleeping workers back.",
    ),
    "cluster-spec": Verb(
        users=FOR_MEMBERS,
        module="daskfleet.team.cluster_spec.cli",
        help="Print a DaskCluster with the image, pools and resources of a team's fixed one.",
    ),
    "doctor": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.doctor.cli",
        help="Say what would make `pulumi up` of a stack fail, with the fix, before it is tried.",
    ),
    "draft": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.drafting.cli",
        help="Draft a stack file for a fleet beside a GKE cluster that was made by hand.",
    ),
    "cost": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.cost.cli",
        help="Say what a stack costs, idle and with every pool full, by item and by team.",
    ),
    "settings": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.explain.cli",
        help="Print every setting of a stack, with the file and line that it is from.",
    ),
    "images": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.images.cli",
        help="Print the images that a stack's pods run, one per line.",
    ),
    "review": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.review.cli",
        name_in_module="app",
        help="Say what a change does to teams, pools and cost, and whether it may pass.",
        needs_checkout=True,
    ),
    "drift": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.drift.cli",
        name_in_module="app",
        help="Compare what runs with what is declared. Changes nothing.",
    ),
    "report": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.report.cli",
        help="Draw a fleet as one HTML page: nodes, GPUs and pods by team, health, drift and cost.",
        needs_checkout=True,
    ),
    "serve": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.report.serve.cli",
        help="Show the page of `report --stack`, live, to this machine alone, until Ctrl-C.",
        needs_checkout=True,
    ),
    "history": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.history.cli",
        help="Say what each `up` did: whose image changed, for how long who had no scheduler.",
    ),
    "recover": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.recovery.cli",
        help="After a killed or lost `pulumi`: release its lock, and record what it had created.",
    ),
    "release": Verb(
        users=FOR_ENGINEERS,
        module="daskfleet.platform.release_team.cli",
        help="Let a team go: all that it has runs on, and the stack no longer knows it.",
    ),
    "rehearse": Verb(
        users=ON_THIS_MACHINE,
        module="rehearsal.cli",
        name_in_module="app",
        help="Rehearse the fleet on this machine: no cloud, no containers, no root.",
        needs_checkout=True,
    ),
    "drift-issue": Verb(
        users=FOR_CI,
        module="daskfleet.platform.review.github.cli",
        name_in_module="drift_issue",
        help="Keep one open issue for each stack that has drifted, and close it when nothing "
        "differs.",
    ),
}
