"""Files of code hosts and of a bot have the form that these publish; none of them has ever run.

The schemas are those that check-jsonschema brings, so nothing is fetched.
"""

import json
import subprocess
import sys
from collections.abc import Mapping

import pytest

from tests.project import PROJECT_DIR

FORMS: Mapping[str, tuple[str, ...]] = {
    "github-workflows": (".github/workflows/*.yml", "template/.github/workflows/*.yml"),
    "github-actions": (".github/actions/*/action.yml",),
    "github-issue-forms": (".github/ISSUE_TEMPLATE/*.yml",),
    "gitlab-ci": ("template/gitlab-ci.yml",),
    "renovate": (".github/renovate.json", "template/.github/renovate.json"),
}
"""By the name of the schema."""

OPTIONS = {"gitlab-ci": ("--data-transform", "gitlab-ci")}


def checked(form: str, *files: str) -> "subprocess.CompletedProcess[str]":
    """Compare files with a schema."""
    schema = ("--builtin-schema", f"vendor.{form}", *OPTIONS.get(form, ()))
    command = (sys.executable, "-m", "check_jsonschema", *schema, *files)
    return subprocess.run(command, cwd=PROJECT_DIR, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("form", FORMS)
def test_a_file_has_the_form_that_its_reader_publishes(form: str) -> None:
    files = [str(file) for pattern in FORMS[form] for file in PROJECT_DIR.glob(pattern)]
    assert len(files) >= len(FORMS[form])
    done = checked(form, *files)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_workflow_of_another_form_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("workflow") / "wrong.json"
    file.write_text(json.dumps({"on": "push", "jobs": {"a": {"runs_on": "ubuntu"}}}), "utf-8")
    done = checked("github-workflows", str(file))
    assert done.returncode == 1
    assert "is not valid under any of the given schemas" in done.stdout
