"""The workflows use what the program is pinned to, and the variables that are documented."""

import re

from daskfleet.platform.review.github.received import ARTIFACTS, PRODUCER
from daskfleet.platform.review.github.reviewed_plan import PLAN, artifact_name
from tests.project import PROJECT_DIR
from tests.workflows.files import ACTIONS, WORKFLOWS, job, jobs, read


def test_the_pulumi_of_the_workflows_is_the_one_that_is_pinned() -> None:
    (installed,) = (
        step["with"]["pulumi-version"]
        for action in ACTIONS
        for step in read(action)["runs"]["steps"]
        if "pulumi-version" in step.get("with", {})
    )
    pins = (PROJECT_DIR / "requirements.in").read_text("utf-8")
    pinned = re.search(r"^pulumi==(.+)$", pins, re.MULTILINE)
    assert pinned is not None
    assert installed == pinned[1]


def test_every_variable_is_explained() -> None:
    used = {
        name
        for path in WORKFLOWS
        for name in re.findall(r"vars\.([A-Z_]+)", path.read_text("utf-8"))
    }
    pages = ("docs/decisions/0018-the-trusted-part-reads-data.md", "docs/releasing.md")
    told = "\n".join((PROJECT_DIR / page).read_text("utf-8") for page in pages)
    assert used == set(re.findall(r"^\| `([A-Z_]+)` \|", told, re.MULTILINE))


def test_every_environment_is_explained() -> None:
    used = {each.content["environment"] for each in jobs() if "environment" in each.content}
    told_here = {"release", "pypi", "github-pages"}
    assert used == {"preview", "drift", "${{ inputs.stack }}", *told_here}
    told = (PROJECT_DIR / "docs/releasing.md").read_text("utf-8")
    assert [each for each in told_here if f"environment `{each}`" not in told] == []


def test_the_artifacts_are_called_what_the_trusted_part_asks_for() -> None:
    uploaded = {
        step["with"]["name"]
        for each in ("preview", "rehearse")
        for step in job("preview", each).steps
        if "upload-artifact" in step.get("uses", "")
    }
    tree = "${{ steps.preview.outputs.tree }}"
    asked = {f"{kind}-${{{{ matrix.stack }}}}" for kind in ARTIFACTS}
    assert uploaded == asked | {artifact_name("${{ matrix.stack }}", tree)}
    assert (PROJECT_DIR / PRODUCER).exists()


def test_the_plan_is_called_what_is_asked_for() -> None:
    assert f"/plan/{PLAN}" in (PROJECT_DIR / ".ci/preview").read_text("utf-8")
