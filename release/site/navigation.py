"""What stands where on the site. A page that stands nowhere fails the build."""

from collections.abc import Mapping

HOME = "README"

NAVIGATION: Mapping[str, tuple[str, ...]] = {
    "For team members": (
        "docs/README",
        "docs/which-dask",
        "docs/connect",
        "docs/jupyter",
        "docs/image",
        "docs/status",
        "docs/sharing",
        "docs/buckets",
        "docs/secrets",
        "docs/volumes",
        "docs/worker-groups",
        "docs/pools",
        "docs/scarce-gpus",
        "docs/adaptive",
        "docs/ephemeral",
        "docs/idle",
        "docs/recycle",
        "docs/start-fast",
        "docs/tls",
        "docs/isolation",
        "docs/faq",
    ),
    "For platform engineers": (
        "docs/first-environment",
        "docs/network",
        "docs/keys",
        "docs/terraform",
        "docs/runbook",
        "docs/rollouts",
        "docs/fleets",
        "docs/adopt",
        "docs/review",
        "policies/README",
        "docs/checks",
        "docs/cost",
        "docs/report",
        "docs/monitoring",
        "docs/health",
        "docs/registry",
        "docs/sign-on",
        "docs/github",
        "docs/gitlab",
        "docs/governance",
        "rehearsal/README",
        "docs/emulator",
    ),
    "Reference": (
        "docs/settings",
        "docs/setting-changes",
        "docs/commands",
        "docs/policies",
        "docs/errors",
        "docs/glossary",
        "CHANGELOG",
    ),
    "Explanations": (
        "docs/evidence",
        "docs/threat-model",
        "SECURITY",
        "docs/architecture",
        "docs/decisions/README",
        "manifests/SOURCES",
        "bench/README",
    ),
    "For contributors": (
        "CONTRIBUTING",
        "docs/contributing",
        "docs/style",
        "docs/releasing",
        "docs/operator-tests",
        "rehearsal/emulator/README",
        "rehearsal/emulator/fidelity",
        "bench/recordings/README",
        "rehearsal/control_plane/README",
        "rehearsal/providers/README",
        "rehearsal/dask_pods/README",
    ),
}
"""Pages by reader, without ``.md``."""

BELOW: Mapping[str, str] = {"docs/decisions/README": "[0-9]*"}
"""Pages that stand below another one, as a pattern of names in its folder."""


def tree_below(page: str) -> str:
    """Give what Sphinx has to read at the end of a page: the pages that stand below it, if any."""
    if page == HOME:
        return "".join(_tree(pages, caption=reader) for reader, pages in NAVIGATION.items())
    return _tree((BELOW[page],)) if page in BELOW else ""


def _tree(pages: tuple[str, ...], *, caption: str = "") -> str:
    options = ("hidden:", "glob:", *([f"caption: {caption}"] if caption else []))
    lines = ("```{toctree}", *(f":{option}" for option in options), "", *pages, "```")
    return "\n\n" + "\n".join(lines) + "\n"
