"""Unit tests: ``daskfleet images`` from the command line."""

from pathlib import Path

import pytest
import yaml
from typer import Typer
from typer.testing import CliRunner, Result

import daskfleet.platform.images.cli
from daskfleet.catalog.helper_images import helper_images
from tests.daskfleet.planning.documents import Document, minimal

MIRROR = "europe-docker.pkg.dev/acme/mirror"
OURS = {"ref": f"{MIRROR}/rapids:1", "rapids": "26.10", "cuda": 12}
LAB = {"ref": f"{MIRROR}/lab:1", "rapids": "26.10", "cuda": 12}


@pytest.fixture
def stacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory of stack files."""
    monkeypatch.setattr(daskfleet.platform.images.cli, "STACKS_DIR", tmp_path)
    monkeypatch.delenv("PULUMI_STACK", raising=False)
    return tmp_path


def printed(directory: Path, document: Document, *arguments: str) -> Result:
    config = {f"daskfleet:{key}": value for key, value in document.items()}
    (directory / "Pulumi.prod.yaml").write_text(yaml.safe_dump({"config": config}))
    app = Typer()
    app.command()(daskfleet.platform.images.cli.command)
    return CliRunner().invoke(app, ["--stack", "prod", *arguments], env={"COLUMNS": "200"})


def test_each_image_is_a_line_the_helpers_first_and_each_once(stacks: Path) -> None:
    lab = {"jupyter": {"image": LAB, "cpu": 0.5, "memory_gib": 2}}
    teams = [{"name": "alpha", "workers": 1, **lab}]

    lines = printed(stacks, minimal(image=OURS, teams=teams)).stdout.splitlines()

    pause, operator = helper_images().values()
    assert lines == [pause.reference, operator.reference, OURS["ref"], LAB["ref"]]


def test_what_is_copied_is_where_pods_look_for_it_and_a_copy_has_a_tag_to_push_to(
    stacks: Path,
) -> None:
    document = minimal(image=OURS, registry={"mirror": MIRROR})
    pulled = printed(stacks, document).stdout.splitlines()
    copies = [line.split(" ") for line in printed(stacks, document, "--copies").stdout.splitlines()]

    helpers = [helper.reference for helper in helper_images().values()]
    assert [source for source, _ in copies] == helpers
    assert [copy for _, copy in copies] == [
        f"{MIRROR}/{helper}".partition("@")[0] for helper in helpers
    ]
    assert pulled == [*(f"{MIRROR}/{helper}" for helper in helpers), OURS["ref"]]


def test_without_a_mirror_nothing_is_copied(stacks: Path) -> None:
    outcome = printed(stacks, minimal(), "--copies")

    assert (outcome.exit_code, outcome.stdout) == (0, "")


def test_a_stack_file_that_is_refused_prints_no_image(stacks: Path) -> None:
    outcome = printed(stacks, minimal(registry={"mirror": "a b"}))

    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert "registry.mirror" in outcome.stderr


def test_a_stack_that_nobody_has_is_told(stacks: Path) -> None:
    app = Typer()
    app.command()(daskfleet.platform.images.cli.command)
    outcome = CliRunner().invoke(app, ["--stack", "elsewhere"])

    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert stacks.name
