"""Pure: nobody without a certificate of the team's gets in, and the certificates last."""

from datetime import UTC, datetime

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.facts import TeamFacts
from daskfleet.team.verify.model import Check, failed, not_measured, passed

TLS = "TLS"
SOON_DAYS = 30
"""As early as ``up`` begins to warn (``components/gates/certificate_life.py``)."""

EXPECTED = "a client without a certificate is refused, and certificates last another month"


def encryption(team: DeclaredTeam, facts: TeamFacts, *, now: datetime | None = None) -> Check:
    """The scheduler of a team with TLS wants a certificate of the team's authority."""
    if facts.certificate_error:
        return failed(
            TLS,
            expected=EXPECTED,
            seen=facts.certificate_error,
            next_step=f"Then look again: `daskfleet verify {team.namespace}`. Without it no client "
            "of the team gets in.",
        )
    if facts.tls is None or facts.dask.connection_error:
        return not_measured(TLS, expected=EXPECTED, seen="not asked: see connection")
    days = (facts.tls.valid_until - (now or datetime.now(UTC))).days
    until = f"certificates last until {facts.tls.valid_until:%Y-%m-%d}, {days} days"
    if facts.tls.anonymous_client_refused is False:
        return failed(
            TLS,
            expected=EXPECTED,
            seen=f"a client without a certificate is let in; {until}",
            next_step="Somebody has changed the scheduler's settings: look for DASK_ variables in "
            f"`kubectl get --namespace {team.namespace} daskcluster {team.dask_cluster} "
            "--output yaml`, and at who wrote them with `daskfleet drift`.",
        )
    if days < SOON_DAYS:
        return failed(
            TLS,
            expected=EXPECTED,
            seen=until,
            next_step="Set the team's tls.rotation to the next number and run `pulumi up`: its "
            "Dask cluster is replaced under the same address.",
        )
    if facts.tls.anonymous_client_refused is None:
        return not_measured(
            TLS,
            expected=EXPECTED,
            seen=f"a client without a certificate: {facts.tls.anonymous_client_outcome}; {until}",
        )
    return passed(
        TLS,
        expected=EXPECTED,
        seen="a client without a certificate is refused "
        f"({facts.tls.anonymous_client_outcome}); {until}",
    )
