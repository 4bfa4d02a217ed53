"""Pure: whether what runs the program here is there, in the versions that it asks for."""

from collections.abc import Collection, Iterator, Mapping

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.pulumi_cli import Plugin

AUTH_PLUGIN = "gke-gcloud-auth-plugin"
INSTALL_PULUMI = "curl -fsSL https://get.pulumi.com | sh"
PACKAGES = ("pulumi", "pulumi-gcp", "pulumi-kubernetes", "pulumi-tls")
NO_DOWNLOADS = "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"


def specifiers(required: str) -> SpecifierSet:
    """Read ``>=3.256.0 <4.0.0``, as Pulumi writes ranges, or the same with commas."""
    return SpecifierSet(",".join(required.replace(",", " ").split()))


def pins(requirements: str) -> dict[str, str]:
    """The versions that a requirements file pins, by package."""
    lines = (line.partition("#")[0].strip() for line in requirements.splitlines())
    wanted = [Requirement(line) for line in lines if line and not line.startswith("-")]
    return {
        each.name: pin.version for each in wanted for pin in each.specifier if pin.operator == "=="
    }


def version_finding(subject: str, found: str, *, required: str, fix: str, command: str) -> Finding:
    """Judge a version by the range that is asked for."""
    try:
        fits = Version(found) in specifiers(required)
    except InvalidVersion:
        fits = False
    return Finding(
        area=Area.TOOLS,
        subject=subject,
        outcome=Outcome.OK if fits else Outcome.WRONG,
        needed=required,
        there=found,
        fix="" if fits else fix,
        command="" if fits else command,
    )


def pulumi_finding(found: str | None, *, required: str) -> Finding:
    """Judge the CLI; None: there is none on PATH."""
    fix = "Install the Pulumi CLI in a version that Pulumi.yaml allows."
    if found is None:
        return Finding(
            area=Area.TOOLS,
            subject="pulumi",
            outcome=Outcome.WRONG,
            needed=required,
            there="not on PATH",
            fix=fix,
            command=INSTALL_PULUMI,
        )
    return version_finding("pulumi", found, required=required, fix=fix, command=INSTALL_PULUMI)


def auth_plugin_finding(problem: str | None) -> Finding:
    """Judge the plugin by which the kubeconfig gets its tokens; None: it runs."""
    return Finding(
        area=Area.TOOLS,
        subject=AUTH_PLUGIN,
        outcome=Outcome.WRONG if problem else Outcome.OK,
        needed="on PATH, and it runs",
        there=problem or "it runs",
        fix="Install it; without it nothing can be made inside the cluster." if problem else "",
        command=f"gcloud components install {AUTH_PLUGIN}" if problem else "",
    )


def package_findings(wanted: Mapping[str, str], installed: Mapping[str, str]) -> Iterator[Finding]:
    """Judge the Python packages of the program."""
    for name in PACKAGES:
        found = installed.get(name)
        fits = found == wanted[name]
        yield Finding(
            area=Area.TOOLS,
            subject=f"Python package {name}",
            outcome=Outcome.OK if fits else Outcome.WRONG,
            needed=wanted[name],
            there=found or "not installed in .venv",
            fix="" if fits else "Install what requirements.txt pins.",
            command="" if fits else "pulumi install",
        )


def plugin_findings(
    wanted: Mapping[str, str], installed: Collection[Plugin], *, downloads: bool
) -> Iterator[Finding]:
    """Judge the provider plugins. ``downloads``: whether the engine may fetch what is missing."""
    for name in PACKAGES[1:]:
        provider = name.removeprefix("pulumi-")
        versions = [
            each.version or "without a version"
            for each in installed
            if each.kind == "resource" and each.name == provider
        ]
        if wanted[name] in versions:
            outcome, fix = Outcome.OK, ""
        elif downloads:
            outcome = Outcome.WARNING
            fix = "The first preview downloads it (gcp: some 100 MB); this does so now."
        else:
            outcome = Outcome.WRONG
            fix = f"Install it: {NO_DOWNLOADS} is set, so the engine downloads nothing by itself."
        yield Finding(
            area=Area.TOOLS,
            subject=f"provider plugin {provider}",
            outcome=outcome,
            needed=wanted[name],
            there=", ".join(versions) or "not installed",
            fix=fix,
            command=f"pulumi plugin install resource {provider} {wanted[name]}" if fix else "",
        )
