"""No pin of this repository is outside of what Renovate moves."""

import re
from pathlib import PurePosixPath

import pytest
import yaml

from daskfleet.catalog.helper_images import helper_images
from tests.project import PROJECT_DIR
from tests.workflows.files import uses
from tests.workflows.renovate import (
    CONFIG,
    CUSTOM_MANAGERS,
    MANAGERS,
    manager_of,
    rules_for,
    tracked,
)

TRACKED = tracked()
KINDS = {
    # template/requirements.txt names the release itself, and no pin beside it.
    "pip-compile": r"^(?!template/)(.*/)?requirements[^/]*\.txt$",
    "pep621": r"(^|/)pyproject\.toml$",
    "github-actions": r"^\.github/(workflows/.*|actions/.*/action)\.ya?ml$",
    "gomod": r"(^|/)go\.mod$",
    "devcontainer": r"(^|/)\.?devcontainer\.json$",
}
OF_NO_MANAGER = (
    r"(^|/)([^/]*\.)?(Docker|Container)file[^/]*$|(^|/)(docker-)?compose[^/]*\.ya?ml$"
    r"|(^|/)(package|package-lock|pnpm-lock|yarn)\.(json|ya?ml|lock)$|(^|/)(uv|poetry|Cargo)\.lock$"
    r"|(^|/)(setup\.(py|cfg)|Pipfile|environment\.ya?ml|constraints[^/]*\.txt|\.tool-versions)$"
    r"|(^|/)(\.gitlab-ci\.yml|\.terraform\.lock\.hcl|[^/]+\.tf)$"
)
"""Files that hold pins of kinds for which no manager is enabled."""

IMAGE = re.compile(r"(?:ghcr\.io|gcr\.io|quay\.io|registry\.k8s\.io)/[\w./-]+:[\w.-]+")
HEADER = re.compile(r"#    uv pip compile (.*)\n")
TOOL = re.compile(r"^(?:tool |\t)([\w./-]+)$", re.MULTILINE)
REQUIRED = re.compile(r"^(?:require |\t)(\S+) v\S+", re.MULTILINE)
KEPT = "rehearsal/toolchain/modules/pulumi-language-python/go.mod"


@pytest.mark.parametrize("manager", MANAGERS)
def test_a_manager_finds_every_file_of_its_kind(manager: str) -> None:
    of_its_kind = [path for path in TRACKED if re.search(KINDS[manager], path)]

    assert of_its_kind
    assert [path for path in of_its_kind if manager_of(path) != manager] == []


def test_no_file_holds_pins_for_which_there_is_no_manager() -> None:
    assert [path for path in TRACKED if re.search(OF_NO_MANAGER, path)] == []


def test_what_is_asked_for_is_the_source_of_a_lock_and_each_lock_says_its_command() -> None:
    locks = [path for path in TRACKED if manager_of(path) == "pip-compile"]
    commands = {path: HEADER.search((PROJECT_DIR / path).read_text("utf-8")) for path in locks}
    sources = {
        word: path
        for path, command in commands.items()
        for word in (command[1].split() if command else ())
        if not word.startswith("-")
    }

    assert {path for path, command in commands.items() if command is None} == set()
    assert sources.keys() == {
        path for path in TRACKED if re.search(r"(^|/)requirements[^/]*\.in$", path)
    }
    for source, lock in sources.items():
        assert PurePosixPath(source).with_suffix(".txt") == PurePosixPath(lock)


def test_every_custom_manager_still_finds_a_pin_in_each_of_its_files() -> None:
    for manager in CUSTOM_MANAGERS:
        texts = []
        for pattern in manager.files:
            (path,) = (path for path in TRACKED if pattern.search(path))
            assert manager.found_in(path), path
            texts.append((PROJECT_DIR / path).read_text("utf-8"))
        assert all(any(pin.search(text) for text in texts) for pin in manager.pins)


def test_every_helper_image_is_moved_with_its_digest_or_given_one() -> None:
    path = "daskfleet/catalog/data/helper_images.csv"
    found = {
        (pin["depName"], pin["currentValue"], pin["currentDigest"])
        for manager in CUSTOM_MANAGERS
        for pin in manager.found_in(path)
    }

    assert found == {(e.repository, e.tag, e.digest) for e in helper_images().values()}
    assert any(
        rule.get("pinDigests") for rule in CONFIG["packageRules"] if "matchDatasources" in rule
    )


def test_every_image_of_a_public_registry_that_the_program_names_is_moved() -> None:
    rooms = ("components/", "daskfleet/", "in_cluster/", "manifests/", "policies/")
    for path in TRACKED:
        if not path.startswith(rooms) or not path.endswith((".py", ".yaml", ".json")):
            continue
        moved = [
            f"{pin['depName']}:{pin['currentValue']}"
            for manager in CUSTOM_MANAGERS
            for pin in manager.found_in(path)
            if "depName" in pin.groupdict()
        ]
        assert IMAGE.findall((PROJECT_DIR / path).read_text("utf-8")) == moved, path


def test_every_binary_of_the_rehearsal_is_moved_by_its_release_on_github() -> None:
    path = "rehearsal/toolchain/pins.yaml"
    releases = yaml.safe_load((PROJECT_DIR / path).read_text("utf-8"))
    found = {
        pin["depName"]: pin["currentValue"]
        for manager in CUSTOM_MANAGERS
        for pin in manager.found_in(path)
    }

    assert found == {each["name"]: each["version"] for each in releases}
    for name in found:
        assert any("overridePackageName" in rule for rule in rules_for(name)), name


@pytest.mark.parametrize("path", [each for each in TRACKED if manager_of(each) == "gomod"])
def test_what_a_go_module_builds_is_moved_though_go_counts_it_as_indirect(path: str) -> None:
    text = (PROJECT_DIR / path).read_text("utf-8")
    required = REQUIRED.findall(text)
    tools = TOOL.findall(text)
    kept = [rule for rule in CONFIG["packageRules"] if rule.get("matchFileNames") == [KEPT]]

    assert tools
    assert [rule["enabled"] for rule in kept] == [False]
    for tool in tools if path != KEPT else ():
        module = max((each for each in required if f"{tool}/".startswith(f"{each}/")), key=len)
        assert any(rule.get("enabled") for rule in rules_for(module)), module


def test_every_action_of_a_workflow_is_pinned_by_its_hash() -> None:
    assert CONFIG["github-actions"]["pinDigests"] is True
    assert all("@" in used for used, _ in uses() if not used.startswith("./"))


def test_nothing_is_taken_in_the_week_of_its_release_but_digests_of_images() -> None:
    at_once = [rule for rule in CONFIG["packageRules"] if "minimumReleaseAge" in rule]

    assert CONFIG["minimumReleaseAge"] == "7 days"
    assert CONFIG["internalChecksFilter"] == "strict"
    assert [rule["matchDatasources"] for rule in at_once] == [["docker"]]


def test_there_is_one_bot() -> None:
    assert not [path for path in TRACKED if "dependabot" in path]
