"""The view of a running fleet: what the page draws and `--json` prints.

Each section is None where its source could not be read; the source then says why.
"""

from datetime import datetime
from enum import StrEnum

from daskfleet.contract.seen import SeenFleet, SeenPart
from daskfleet.platform.cost.bill_model import Bill
from daskfleet.platform.history.model import History
from daskfleet.platform.report.running.told import Told


class SourceName(StrEnum):
    """Where figures are from."""

    STATE = "Pulumi's state"
    PODS = "Kubernetes: pods, events and Dask objects"
    NODES = "Kubernetes: nodes"
    CLUSTER = "GKE: the cluster and its upgrades"
    OPERATIONS = "GKE: operations on the cluster"
    PRICES = "the stack file on this machine, and the catalog's list prices"
    DRIFT = "daskfleet drift: state, Google Cloud and Kubernetes compared"
    DOCTOR = "daskfleet doctor: quotas, permissions, names, reservations"
    BILL = "the billing export in BigQuery, as daskfleet cost --actual reads it"
    """Where DASKFLEET_BILLING_EXPORT names one."""
    HISTORY = "daskfleet history: Pulumi's records of updates, and Kubernetes"


class Source(SeenPart):
    """One look at one source."""

    name: SourceName
    read_at: datetime
    took_s: float
    why_not: Told = ""
    """Why it could not be read; empty when it was."""
    lacks: tuple[Told, ...] = ()
    """Parts of it that could not be read."""

    @property
    def is_read(self) -> bool:
        """Whether there is anything of it."""
        return not self.why_not


class Kind(StrEnum):
    """What a problem is about; the order is that of the page."""

    TEAM = "team"
    POD = "pod"
    NODE = "node"
    CERTIFICATE = "certificate"
    DRIFT = "drift"
    BEFORE_UP = "next up"
    """What would make the next `pulumi up` fail, or what comes after it."""


class Problem(SeenPart):
    """Something that is not as it should be now."""

    kind: Kind
    about: Told
    team: str = ""
    """Whose it is; empty: the fleet's."""
    says: Told
    next_step: Told = ""
    command: Told = ""
    """For a shell."""


class TeamRow(SeenPart):
    """A team, in a line."""

    team: str
    state: str
    """``ready``, ``asleep``, ``not ready`` or ``not known``."""
    workers_ready: int
    workers_wanted: int | None
    """None: not known."""
    gpu_shares: int
    """That its pods hold."""
    lost: int
    """Pods and processes that ended of late."""
    restarts: int
    matter: Told
    """What holds it up, or since when it sleeps."""


class WaitRow(SeenPart):
    """A pod that waits, or one that is not even made."""

    team: str
    name: Told
    since: str
    """RFC 3339; empty where it is not known."""
    waits_for: Told
    """In the words of whoever holds it up."""
    means: Told


class LossRow(SeenPart):
    """A pod or a process that ended."""

    team: str
    at: str
    pod: Told
    why: Told


class DriftRow(SeenPart):
    """One thing that is not as declared."""

    severity: str
    is_drift: bool
    resource: Told
    field: Told
    declared: Told
    found: Told
    owner: str
    evidence: Told
    remedy: Told
    ask: Told


class Drift(SeenPart):
    """What `daskfleet drift` found."""

    rows: tuple[DriftRow, ...]
    notices: tuple[Told, ...]
    google_resources: int
    kubernetes_objects: int


class RoomRow(SeenPart):
    """What there is of a type of GPU for somebody new."""

    accelerator: str
    """As GKE spells it."""
    free_shares: int | None
    """Places that no pod holds, on nodes that take pods; None: not known."""
    more_gpus: int | None
    """GPUs of the nodes that the autoscaler may add; None: not known which are there."""
    quota: tuple[Told, ...]
    """What the doctor says of the quotas that count it; empty: it says nothing."""


class VersionRow(SeenPart):
    """What runs on the nodes of a pool."""

    pool: str
    nodes: int
    kubelet: tuple[Told, ...]
    driver: tuple[Told, ...]


class CertificateRow(SeenPart):
    """A certificate, and when it ends."""

    about: str
    team: str
    ends_at: datetime | None
    """None: the certificate cannot be read."""
    days_left: int | None


class TouchedRow(SeenPart):
    """A pool whose nodes an upgrade makes anew."""

    pool: str
    version: str
    nodes: int | None
    """None: not known."""
    teams: tuple[str, ...] | None
    """Whose pods are on them now; None: not known."""


class Upgrades(SeenPart):
    """What GKE does by itself, as far as it says."""

    channel: str
    control_plane: str
    """Its version now."""
    patch_target: str
    """Empty: GKE names none."""
    minor_target: str
    paused: tuple[str, ...]
    support_ends: str
    """RFC 3339; empty where GKE does not say."""
    window: str
    exclusions: tuple[Told, ...]
    control_plane_is_due: bool
    touched: tuple[TouchedRow, ...]


class OperationRow(SeenPart):
    """Something that GKE does to the cluster, or did of late, whoever asked for it."""

    kind: Told
    """In GKE's words, such as ``auto upgrade nodes``."""
    about: Told
    """The pool, or ``the cluster``."""
    began_at: Told
    """RFC 3339; empty: it has not begun."""
    ended_at: Told
    """RFC 3339; empty: it has not ended."""
    state: Told
    failure: Told
    """Why it failed; empty: it did not."""


class MoneyRow(SeenPart):
    """Somebody's part, in US dollars at list prices."""

    name: str
    kind: str
    """``team``, ``unused`` or ``platform``."""
    now_usd_per_hour: float
    month_usd: float
    """If it stays as it is now, for a month of 730 hours."""
    idle_usd_per_month: float | None
    """As the last `up` declared it; None: not told."""
    full_usd_per_month: float | None


class Money(SeenPart):
    """What the nodes that are there cost."""

    prices_as_of: str
    now_usd_per_hour: float
    month_usd: float
    rows: tuple[MoneyRow, ...]
    unpriced: tuple[Told, ...]
    """What nobody knows the price of; all figures are at least, where there is something."""


class FleetView(SeenFleet):
    """A running fleet as it was seen. Rows of what could not be read are None."""

    looked_at: datetime
    cluster: Told
    are_pods_known: bool
    """Whether ``pods`` are all of them; None of them says nothing otherwise."""
    retired_teams: tuple[str, ...] = ()
    sources: tuple[Source, ...]
    problems: tuple[Problem, ...] = ()
    teams: tuple[TeamRow, ...] | None = None
    waiting: tuple[WaitRow, ...] | None = None
    losses: tuple[LossRow, ...] | None = None
    room: tuple[RoomRow, ...] = ()
    versions: tuple[VersionRow, ...] | None = None
    certificates: tuple[CertificateRow, ...] | None = None
    drift: Drift | None = None
    upgrades: Upgrades | None = None
    operations: tuple[OperationRow, ...] | None = None
    money: Money | None = None
    bill: Bill | None = None
    """Of this month."""
    history: History | None = None

    @property
    def unread(self) -> tuple[Source, ...]:
        """Sources of which something is missing."""
        return tuple(each for each in self.sources if each.why_not or each.lacks)
