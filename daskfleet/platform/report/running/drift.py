"""Pure: what `daskfleet drift` found, as rows of the page."""

import json
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from daskfleet.platform.drift.model import Difference
from daskfleet.platform.drift.model import Report as DriftReport
from daskfleet.platform.report.running.model import Drift, DriftRow, Kind, Problem


def drift_of(report: DriftReport) -> Drift:
    """Return the rows in drift's own order, the worst first."""
    return Drift(
        rows=tuple(_row(each) for each in report.differences),
        notices=report.notices,
        google_resources=report.google_resources,
        kubernetes_objects=report.kubernetes_objects,
    )


def drift_problems(drift: Drift, *, namespaces: Mapping[str, str]) -> Iterator[Problem]:
    """Return what is not as declared, with its owner; ``namespaces`` names each one's team."""
    for row in drift.rows:
        if row.is_drift:
            what = f"{row.resource}, {row.field}" if row.field else row.resource
            yield Problem(
                kind=Kind.DRIFT,
                about=f"{what}: {row.severity}",
                team=namespaces.get(_namespace(row.resource), ""),
                says=f"{row.owner}: {row.evidence}",
                next_step=row.remedy,
            )


def _namespace(resource: str) -> str:
    """Return the namespace of ``NetworkPolicy climate/egress``, or of ``Namespace climate``."""
    kind, _, place = resource.partition(" ")
    namespace, in_one, _ = place.partition("/")
    return namespace if in_one or kind == "Namespace" else ""


def _row(difference: Difference) -> DriftRow:
    return DriftRow(
        severity=difference.severity.value,
        is_drift=difference.is_drift,
        resource=difference.resource,
        field=difference.field,
        declared=_shown(difference.declared),
        found=_shown(difference.found),
        owner=difference.owner.value,
        evidence=difference.evidence,
        remedy=difference.remedy,
        ask=difference.ask,
    )


def _shown(value: JsonValue) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)
