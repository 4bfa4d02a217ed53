"""What is installed: missing, too old, pinned otherwise; each is one finding with its command."""

from daskfleet.platform.doctor.model import Area, Outcome
from daskfleet.platform.doctor.tools import (
    PACKAGES,
    package_findings,
    pins,
    specifiers,
    version_finding,
)
from tests.daskfleet.platform.doctor.examined import Machine


def test_a_missing_login_plugin_is_named_with_the_command(well: Machine) -> None:
    well.remove("gke-gcloud-auth-plugin")
    finding = well.only()
    assert (finding.area, finding.there) == (Area.TOOLS, "not on PATH")
    assert finding.command == "gcloud components install gke-gcloud-auth-plugin"


def test_a_login_plugin_that_does_not_run_says_its_status_and_not_its_words(well: Machine) -> None:
    well.executable("gke-gcloud-auth-plugin", "#!/bin/sh\necho token-of-somebody\nexit 7\n")
    finding = well.only()
    assert finding.there.endswith("gke-gcloud-auth-plugin ends with status 7")
    assert "token-of-somebody" not in well.examined().model_dump_json()


def test_a_pulumi_that_is_too_old_is_told_with_the_range(well: Machine) -> None:
    well.answers["version"] = {"output": "v3.200.1\n"}
    finding = well.only()
    assert (finding.subject, finding.there) == ("pulumi", "v3.200.1")
    assert finding.needed == ">=3.256.0 <4.0.0"
    assert finding.command


def test_without_pulumi_what_it_would_tell_is_not_looked_at(well: Machine) -> None:
    well.remove("pulumi")
    wrong, *unknown = well.found()
    assert (wrong.subject, wrong.there) == ("pulumi", "not on PATH")
    assert {finding.outcome for finding in unknown} == {Outcome.NOT_LOOKED_AT}
    assert {finding.area for finding in unknown} == {Area.TOOLS, Area.STATE}


def test_a_plugin_that_is_not_installed_is_a_warning_where_it_can_be_downloaded(
    well: Machine,
) -> None:
    plugins = [
        {"name": "gcp", "kind": "resource", "version": "10.2.0"},
        {"name": "tls", "kind": "resource", "version": "5.6.2"},
    ]
    well.says("plugin ls", plugins)
    finding = well.only()
    assert (finding.subject, finding.outcome) == ("provider plugin kubernetes", Outcome.WARNING)
    assert finding.command == "pulumi plugin install resource kubernetes 4.34.2"


def test_a_plugin_of_another_version_is_wrong_where_nothing_is_downloaded(well: Machine) -> None:
    plugins = [
        {"name": "gcp", "kind": "resource", "version": "9.0.0"},
        {"name": "kubernetes", "kind": "resource", "version": "4.34.2"},
        {"name": "tls", "kind": "resource", "version": "5.6.2"},
    ]
    well.says("plugin ls", plugins)
    well.environment["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"] = "1"
    finding = well.only()
    assert (finding.subject, finding.outcome) == ("provider plugin gcp", Outcome.WRONG)
    assert (finding.needed, finding.there) == ("10.2.0", "9.0.0")


def test_a_python_package_of_another_version_is_wrong() -> None:
    wanted = dict.fromkeys(PACKAGES, "10.2.0")
    installed = {**wanted, "pulumi-gcp": "9.0.0"}
    del installed["pulumi-kubernetes"]
    well, old, missing, _ = package_findings(wanted, installed)
    assert well.outcome is Outcome.OK
    assert (old.outcome, old.there, old.command) == (Outcome.WRONG, "9.0.0", "pulumi install")
    assert (missing.outcome, missing.there) == (Outcome.WRONG, "not installed in .venv")


def test_a_python_that_is_too_old_is_wrong() -> None:
    finding = version_finding("Python", "3.10.4", required=">=3.11", fix="Newer.", command="make")
    assert (finding.outcome, finding.fix) == (Outcome.WRONG, "Newer.")


def test_ranges_are_read_as_pulumi_writes_them() -> None:
    assert "3.256.0" in specifiers(">=3.256.0 <4.0.0")
    assert "4.0.0" not in specifiers(">=3.256.0, <4.0.0")


def test_pins_are_those_of_the_requirements_file() -> None:
    text = "# what for\n-r requirements.in\npulumi==3.256.0\npydantic>=2\ntyper[all]==1.0 # why\n"
    assert pins(text) == {"pulumi": "3.256.0", "typer": "1.0"}
