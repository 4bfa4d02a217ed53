"""Pure: how much longer a team's certificates are good for, and what has to be done about it.

The provider replaces a certificate by itself at the first ``up`` after its end, whatever
``early_renewal_hours`` is (terraform-provider-tls, ``modifyPlanIfCertificateReadyForRenewal``), and
before it when that is set. Neither reaches a pod: Dask has loaded its certificates, and the Secret
keeps its name. So nothing is renewed early; people are told in time to ask for other certificates,
which are other Secrets and other pods, and what was renewed after its end fails the gate.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

import pulumi

from daskfleet.settings.tls import Tls

WARN_BEFORE = timedelta(days=30)
REFUSE_BEFORE = timedelta(days=7)
"""With a week left, a rotation can still wait for its maintenance window; ``up`` cannot."""

CLOCKS_DIFFER = timedelta(minutes=10)
"""How far the clock of the machine that makes certificates may be ahead of the cluster's."""


def left(valid_until: str, *, now: datetime) -> timedelta:
    """Return how long certificates are still good for."""
    return datetime.fromisoformat(valid_until) - now


def check_life(
    valid_until: str,
    *,
    team: str,
    tls: Tls,
    report: Callable[[str], None],
    now: datetime | None = None,
) -> str:
    """Return the end as it is; warn in the last month.

    Raises:
        pulumi.RunError: in the last week.

    """
    rest = left(valid_until, now=now or datetime.now(UTC))
    if rest > WARN_BEFORE:
        return valid_until
    text = (
        f"The TLS certificates of team {team} end on {valid_until[:10]}, in {max(rest.days, 0)} "
        f"days. After that its scheduler, workers and clients can no longer reach each other. Set "
        f"teams[{team}].tls.rotation to {tls.rotation + 1} and run `pulumi up`: its Dask cluster "
        "is replaced under the same address, and clients need the new certificate."
    )
    if rest <= REFUSE_BEFORE:
        raise pulumi.RunError(text)
    report(text)
    return valid_until


def older_than_certificates(started: Mapping[str, str], *, made: str) -> tuple[str, ...]:
    """Return which pods started before their certificates were made.

    Args:
        started: when each did, RFC 3339, by name.
        made: when the certificates were, RFC 3339.
    """
    since = datetime.fromisoformat(made) - CLOCKS_DIFFER
    return tuple(sorted(pod for pod, at in started.items() if datetime.fromisoformat(at) < since))
