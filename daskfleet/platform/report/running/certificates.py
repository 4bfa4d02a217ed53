"""Pure: certificates that end: those of teams with TLS, and the control plane's authority."""

import base64
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from cryptography import x509

from daskfleet.access.kubeconfig import Kubeconfig
from daskfleet.access.pulumi_state import State, state_resources
from daskfleet.platform.report.running.model import CertificateRow, Kind, Problem

TEAM_TLS_TYPE = "daskfleet:dask:TeamTls"
"""The component that has a team's certificates; it tells until when they are valid."""

SOON_DAYS = 30
"""As `pulumi up` warns: a rollout of new ones needs a working day, and `up` has to run."""

NEVER_TOLD = datetime.max.replace(tzinfo=UTC)
"""Below all that end at a time that is known."""


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """A certificate, and when it ends."""

    about: str
    team: str
    """Empty: the fleet's."""
    ends_at: datetime | None
    """None: it cannot be read."""


def certificates_in(state: State, kubeconfig: Kubeconfig) -> tuple[Certificate, ...]:
    """Return those that the state knows."""
    return (*_of_teams(state), *_of_control_plane(kubeconfig))


def certificate_rows(
    certificates: Iterable[Certificate], *, now: datetime
) -> tuple[CertificateRow, ...]:
    """Return them as they are shown, the one that ends first at the top."""
    rows = [
        CertificateRow(
            about=each.about,
            team=each.team,
            ends_at=each.ends_at,
            days_left=(each.ends_at - now).days if each.ends_at else None,
        )
        for each in certificates
    ]
    return tuple(sorted(rows, key=lambda row: row.ends_at or NEVER_TOLD))


def unreadable(certificates: Iterable[Certificate]) -> tuple[str, ...]:
    """Return of which nobody can say when they end."""
    return tuple(
        f"when the {each.about} ends: the state's certificate cannot be read"
        for each in certificates
        if each.ends_at is None
    )


def ending(rows: Iterable[CertificateRow]) -> Iterator[Problem]:
    """Return what ends soon, or has ended."""
    for row in rows:
        if row.ends_at is None or row.days_left is None or row.days_left > SOON_DAYS:
            continue
        when = f"in {row.days_left} days" if row.days_left >= 0 else "it has ended"
        yield Problem(
            kind=Kind.CERTIFICATE,
            about=row.about,
            team=row.team,
            says=f"ends on {row.ends_at:%Y-%m-%d}, {when}",
            next_step="Raise the team's `tls.rotation`: docs/tls.md says what that does."
            if row.team
            else "Rotate the cluster's credentials: `gcloud container clusters update "
            "--start-credential-rotation`.",
        )


def _of_teams(state: State) -> Iterator[Certificate]:
    for resource in state_resources(state):
        if resource["type"] != TEAM_TLS_TYPE or resource.get("delete"):
            continue
        until = (resource.get("outputs") or {}).get("valid_until")
        team = str(resource["urn"]).rpartition("::")[2]
        yield Certificate(about=f"TLS of team {team}", team=team, ends_at=_moment(until))


def _moment(text: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return at if at.tzinfo else None


def _of_control_plane(kubeconfig: Kubeconfig) -> Iterator[Certificate]:
    encoded = kubeconfig["clusters"][0]["cluster"].get("certificate-authority-data")
    if not encoded:
        return
    try:
        authority = x509.load_pem_x509_certificate(base64.b64decode(encoded))
        ends_at = authority.not_valid_after_utc.astimezone(UTC)
    except ValueError:
        ends_at = None
    yield Certificate(about="authority of the control plane", team="", ends_at=ends_at)
