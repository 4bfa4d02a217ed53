"""Pure: how much longer a team's certificates are good for, and what has to be done about it.

The provider replaces a certificate by itself at the first ``up`` after its end, whatever
``early_renewal_hours`` is (terraform-provider-tls, ``modifyPlanIfCertificateReadyForRenewal``), and
before it when that is set. Neither reaches a pod: Dask has loaded its certificates, and the Secret
keeps its name. So nothing is renewed early; people are told in time to ask for other certificates,
which are other Secrets and other pods, and what was renewed after its end fails the gate.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pulumi

from settings.tls import Tls

WARN_BEFORE = timedelta(days=30)
REFUSE_BEFORE = timedelta(days=7)
"""With a week left, a rotation can still wait for its maintenance window; ``up`` cannot."""

OLDER = timedelta(minutes=10)
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
        f"days; then its scheduler, workers and clients cannot reach each other any more. Set "
        f"teams[{team}].tls.rotation to {tls.rotation + 1} and run `pulumi up`: its Dask cluster "
        "is exchanged under the same address, and clients need the new certificate."
    )
    if rest <= REFUSE_BEFORE:
        raise pulumi.RunError(text)
    report(text)
    return valid_until


def older_than_certificates(started: dict[str, str], *, valid_from: str) -> list[str]:
    """Return which of the processes were started before their certificates were made.

    Args:
        started: when each was started, by the name of its pod; RFC 3339.
        valid_from: when the certificates were made, RFC 3339.
    """
    made = datetime.fromisoformat(valid_from)
    return sorted(
        pod for pod, when in started.items() if datetime.fromisoformat(when) < made - OLDER
    )
