"""Unit: whether what is installed here is what a revision asks for."""

import importlib.metadata
from pathlib import Path

from daskfleet.platform.review.rehearsal_run.pins import OtherPin, other_pins
from tests.project import PROJECT_DIR

PULUMI = importlib.metadata.version("pulumi")


def test_this_checkout_pins_what_is_installed() -> None:
    assert other_pins(PROJECT_DIR) == ()


def test_another_version_is_named(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("# ours\npulumi==1.2.3\n")

    assert other_pins(tmp_path) == (OtherPin(package="pulumi", pinned="1.2.3", installed=PULUMI),)


def test_a_pin_counts_however_it_is_spelled_and_where_its_marker_holds(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(
        f"pulumi=={PULUMI} \\\n    --hash=sha256:00 \\\n    --hash=sha256:01\n"
        "GRPCIO==0.1\ncolorama==0.1 ; sys_platform == 'win32'\n"
        "jinja2==0.1 ; python_version >= '3.11' \\\n    --hash=sha256:02\n"
    )

    assert [str(each) for each in other_pins(tmp_path)] == [
        f"{name} {importlib.metadata.version(name)} instead of 0.1" for name in ("grpcio", "jinja2")
    ]


def test_what_is_not_installed_is_named(tmp_path: Path) -> None:
    (tmp_path / "requirements-rehearsal.txt").write_text("no-such-package-of-ours==1.0\n")

    assert [str(each) for each in other_pins(tmp_path)] == [
        "no-such-package-of-ours missing instead of 1.0"
    ]


def test_a_revision_without_such_files_asks_for_nothing(tmp_path: Path) -> None:
    assert other_pins(tmp_path) == ()
