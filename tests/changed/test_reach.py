"""What a change can affect, told on this very project; unit tier."""

from uuid import uuid4

import pytest

from tests.changed.__main__ import told
from tests.changed.changes import Changes
from tests.changed.code import Code, packages_named
from tests.changed.reach import reached, union

END_TO_END = "tests/rehearsal/end_to_end"
RUNBOOK = "tests/rehearsal/runbook/test_runbook.py"


@pytest.fixture(scope="module")
def code() -> Code:
    return Code()


def changed(*present: str, gone: tuple[str, ...] = ()) -> Changes:
    return Changes(since="then", present=frozenset(present), gone=frozenset(gone))


def of(code: Code, *paths: str) -> set[str]:
    return union(reached(changed(*paths), code))


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("daskfleet/planning/cost.py", "tests/daskfleet/planning/test_cost.py"),
        ("daskfleet/planning/cost.py", "tests/daskfleet/platform/cost/test_cli.py"),
        ("components/jupyter.py", "tests/components/test_jupyter.py"),
        ("components/jupyter.py", f"{END_TO_END}/test_up.py"),
        ("__main__.py", f"{END_TO_END}/test_up.py"),
        ("in_cluster/dask_probe/graphs.py", "tests/daskfleet/team/verify/test_broken_clusters.py"),
        ("rehearsal/providers/gcp/cloud.py", f"{END_TO_END}/test_up.py"),
        ("daskfleet/platform/drift/render.py", f"{END_TO_END}/test_drift.py"),
        ("daskfleet/platform/drift/render.py", RUNBOOK),
        ("daskfleet/platform/recovery/recover.py", RUNBOOK),
        ("daskfleet/settings/__init__.py", "tests/daskfleet/settings/test_loading.py"),
        (
            "tests/daskfleet/team/verify/conftest.py",
            "tests/daskfleet/team/verify/checks/test_gpus.py",
        ),
        ("tests/chromium.py", "tests/daskfleet/platform/report/test_in_browser.py"),
        ("daskfleet/catalog/data/gpus.yaml", "tests/daskfleet/catalog/test_catalog.py"),
        (
            "daskfleet/platform/report/templates/page.html",
            "tests/daskfleet/platform/report/test_page.py",
        ),
        (
            "tests/daskfleet/platform/review/recorded/up.jsonl",
            "tests/daskfleet/platform/review/test_read.py",
        ),
        ("tests/upgrades/releases.yaml", "tests/upgrades/test_releases.py"),
        (
            "manifests/dask-crds/templates/daskcluster.yaml",
            "tests/manifests/test_dask_manifest.py",
        ),
        ("stacks/Pulumi.dev.yaml", "tests/stacks/test_stack_files.py"),
        ("bench/results/faults.json", "tests/test_docs.py"),
        ("docs/runbook.md", RUNBOOK),
        ("docs/monitoring.md", "tests/test_docs.py"),
        (".github/workflows/check.yml", "tests/workflows/test_trust.py"),
        (".ci/run", "tests/workflows/test_scripts.py"),
        ("daskfleet/cli.py", "tests/daskfleet/team/connect/test_cli.py"),
        ("daskfleet/platform/cost/cli.py", "tests/package/test_wheel.py"),
        ("daskfleet/catalog/data/gpus.yaml", "tests/package/test_wheel.py"),
    ],
)
def test_a_change_reaches_the_test_that_would_see_it(code: Code, path: str, test: str) -> None:
    assert test in of(code, path)


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("daskfleet/platform/doctor/needs.py", f"{END_TO_END}/test_up.py"),
        ("daskfleet/platform/drift/render.py", "tests/daskfleet/planning/test_cost.py"),
        (
            "tests/daskfleet/platform/review/recorded/up.jsonl",
            "tests/daskfleet/planning/test_cost.py",
        ),
        (".github/workflows/check.yml", "tests/daskfleet/planning/test_cost.py"),
        ("docs/monitoring.md", f"{END_TO_END}/test_up.py"),
    ],
)
def test_a_change_leaves_out_a_test_that_cannot_see_it(code: Code, path: str, test: str) -> None:
    assert test not in of(code, path)


def test_a_file_of_tests_reaches_itself(code: Code) -> None:
    assert of(code, "tests/daskfleet/planning/test_cost.py") == {
        "tests/daskfleet/planning/test_cost.py"
    }


@pytest.mark.parametrize(
    "path",
    [
        "pyproject.toml",
        "requirements-dev.txt",
        "rehearsal/toolchain/pins.yaml",
        "tests/conftest.py",
    ],
)
def test_what_all_need_reaches_all(code: Code, path: str) -> None:
    assert of(code, path) == code.tests


def test_what_nobody_is_known_to_read_reaches_all(code: Code) -> None:
    assert of(code, f"{uuid4()}.bin") == code.tests


def test_a_module_that_is_gone_reaches_all(code: Code) -> None:
    assert union(reached(changed(gone=("daskfleet/platform/drift/old.py",)), code)) == code.tests


def test_no_change_picks_nothing(code: Code) -> None:
    assert (
        union(reached(changed(gone=("tests/daskfleet/platform/drift/test_old.py",)), code))
        == code.tests
    )
    assert reached(changed(), code) == []


def test_what_is_chosen_is_told_with_the_reason(code: Code) -> None:
    found = changed("daskfleet/platform/drift/render.py", "tests/daskfleet/planning/test_cost.py")
    lines = told(found, reached(found, code), of=len(code.tests))
    assert lines[0] == "Changed since then:"
    assert lines[1].startswith("  daskfleet/platform/drift/render.py: ")
    assert lines[1].endswith(" files of tests use it")
    assert "  tests/daskfleet/planning/test_cost.py" in lines


@pytest.mark.parametrize(
    "text",
    [
        '"-m", "daskfleet.platform.drift"',
        "daskfleet drift --json",
        'run("recover")',
        "see `daskfleet/platform/drift/cli.py`",
    ],
)
def test_a_package_is_named_by_its_module_its_verb_or_its_path(text: str) -> None:
    drift, cost = "daskfleet.platform.drift", "daskfleet.platform.cost"
    verbs = {"recover": drift, "drift": drift}
    assert packages_named(text.replace("`", " "), {drift, cost}, verbs) == {drift}


def test_a_word_of_a_sentence_names_no_package() -> None:
    packages = {"daskfleet.platform.drift", "daskfleet.platform.cost", "policies"}
    assert packages_named("what it cost, policies, and the drift of it", packages, {}) == set()
