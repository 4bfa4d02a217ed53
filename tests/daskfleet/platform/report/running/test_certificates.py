"""Unit: a certificate that nobody can read is told as that."""

from datetime import UTC, datetime

from daskfleet.platform.report.running.certificates import (
    certificate_rows,
    certificates_in,
    ending,
    unreadable,
)

NOW = datetime(2026, 11, 23, tzinfo=UTC)
BROKEN = {"clusters": [{"cluster": {"certificate-authority-data": "bm9uZQ=="}}]}


def test_an_authority_and_a_teams_certificate_that_cannot_be_read_are_not_known() -> None:
    tls = {"type": "daskfleet:dask:TeamTls", "urn": "a::b::fraud", "outputs": {"valid_until": "?"}}
    found = certificates_in({"deployment": {"resources": [tls]}}, BROKEN)
    rows = certificate_rows(found, now=NOW)
    assert [(row.about, row.ends_at, row.days_left) for row in rows] == [
        ("TLS of team fraud", None, None),
        ("authority of the control plane", None, None),
    ]
    assert len(unreadable(found)) == 2
    assert list(ending(rows)) == []
