"""A Helm chart is of one version, or lies in the repository."""

import re
from collections.abc import Iterator, Sequence

from policies.declared import UNKNOWN, Declared
from policies.rule import NoParameters, Rule, Violation

ONE_VERSION = re.compile(r"v?\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?")
"""Helm takes ranges, too: ``^2026.3``, ``>=1``, ``2026.x``, and nothing at all."""


def _check(fleet: Sequence[Declared], parameters: NoParameters) -> Iterator[Violation]:
    del parameters
    for release in fleet:
        if release.kind != "Release" or not release.is_in_kubernetes:
            continue
        chart, version = release.at("chart"), release.at("version")
        if UNKNOWN in (chart, version) or str(chart).startswith(("./", "../", "/")):
            continue
        if not ONE_VERSION.fullmatch(str(version or "")):
            yield Violation(
                resource=release,
                message=f"Chart {chart} has the version {version or '(none)'}, which may be "
                "another chart at the next `up`: name one version, such as 2026.3.0.",
            )


RULE = Rule(
    name="pinned-charts",
    description="Every Helm chart is pinned to one version.",
    level="mandatory",
    scope="resource",
    parameters=NoParameters,
    check=_check,
)
