"""Unit: the list of a release's parts has all that is pinned, with its hashes."""

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import canonicalize_name

from daskfleet.catalog.helper_images import helper_images
from release.locks import go_modules, python_packages
from release.project import project
from release.sbom import GO_MODULES, LOCKS, main, sbom
from tests.project import PROJECT_DIR
from tests.test_python_pins import read

AT = datetime(2026, 12, 1, tzinfo=UTC)


@cache
def text() -> str:
    """Make the list, which takes seconds: it is held against the schema."""
    return sbom(at=AT)


def listed() -> dict[str, Any]:
    """Read it."""
    document: dict[str, Any] = json.loads(text())
    return document


def hashes(component: dict[str, Any]) -> set[str]:
    (files,) = component["externalReferences"]
    return {each["content"] for each in files["hashes"]}


def values(component: dict[str, Any], name: str) -> set[str]:
    return {
        each["value"] for each in component["properties"] if each["name"] == f"daskfleet:{name}"
    }


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_of_a_lock_is_there_with_its_version_and_all_its_hashes(lock: str) -> None:
    # Read by another reader than the list's own.
    wanted = {
        (canonicalize_name(asked.name), str(asked.specifier)[2:]): {
            each.removeprefix("--hash=sha256:") for each in allowed
        }
        for asked, allowed in read(PROJECT_DIR / lock)
    }
    found = {
        (each["name"], each["version"]): hashes(each)
        for each in listed()["components"]
        if each["purl"].startswith("pkg:pypi/") and lock in values(each, "lock")
    }

    assert len(wanted) > 20
    assert found == wanted


def test_what_the_program_and_the_wheel_run_on_is_required_and_the_rest_optional() -> None:
    for each in listed()["components"]:
        if each["purl"].startswith("pkg:pypi/"):
            is_required = (
                "requirements.txt" in values(each, "lock") or each["name"] in project().dependencies
            )
            assert each["scope"] == ("required" if is_required else "optional")


def test_the_program_depends_on_what_it_asks_for_itself() -> None:
    this = project()
    purl = f"pkg:pypi/{this.name}@{this.version}"
    (of_it,) = (each for each in listed()["dependencies"] if each["ref"] == purl)
    names = {each.partition("@")[0] for each in of_it["dependsOn"]}

    assert {"pkg:pypi/pulumi", "pkg:pypi/pydantic", "pkg:oci/pause"} <= names
    assert "pkg:pypi/certifi" not in names
    assert listed()["metadata"]["component"]["purl"] == purl


def test_every_go_module_of_the_rehearsals_binaries_is_there_with_gos_own_hash() -> None:
    modules = {
        (each.path, each.version): each.h1
        for folder in (PROJECT_DIR / GO_MODULES).iterdir()
        for each in go_modules(folder)
    }
    found = {
        (each["name"], each["version"]): each
        for each in listed()["components"]
        if each["purl"].startswith("pkg:golang/")
    }

    assert found.keys() == modules.keys()
    assert values(found["helm.sh/helm/v3", "v3.22.0"], "binary") == {"helm"}
    for module, h1 in modules.items():
        assert values(found[module], "h1") == ({h1} if h1 else set())


def test_every_helper_image_is_there_by_its_digest_where_it_has_one() -> None:
    images = {each["name"]: each for each in listed()["components"] if each["type"] == "container"}

    assert images.keys() == {each.repository for each in helper_images().values()}
    for image in helper_images().values():
        assert (f"@{image.digest}?" in images[image.repository]["purl"]) == bool(image.digest)


@pytest.mark.soak(every=3)
def test_the_command_writes_the_same_bytes_for_the_same_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(AT.timestamp())))

    assert main([str(tmp_path / "dist")]) == 0
    written = Path(capsys.readouterr().out.strip())
    assert written.parent == tmp_path / "dist"
    assert written.read_bytes() == text().encode()
    assert main([]) == 2


@pytest.mark.parametrize(
    "entry", ["left==1.0", "left>=1.0 \\\n    --hash=sha256:00", "left==1.0 ; python_version < '4'"]
)
def test_what_is_not_locked_is_no_lock(tmp_path: Path, entry: str) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text(f"# A header.\n{entry}\n    # via right\n", "utf-8")

    with pytest.raises(ValueError, match=r"left.* is not locked"):
        list(python_packages(lock))
