"""Unit: the option reaches every stage, and nothing else is taken for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import PROJECT_DIR
from tests.tiers.providers import VARIABLE, chosen_providers

TOLD = """
from tests.tiers.providers import chosen_providers
def test_it(): print("a stage has", chosen_providers())
"""


@pytest.mark.parametrize(("options", "wanted"), [((), "stand-in"), (("--providers=real",), "real")])
def test_the_option_says_which_plugins_a_stage_has(
    tmp_path: Path, options: tuple[str, ...], wanted: str
) -> None:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ("tests.tiers.providers",)\n')
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
    (tmp_path / "test_it.py").write_text(TOLD)
    kept = {name: value for name, value in os.environ.items() if name != VARIABLE}

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--capture=no", *options],
        cwd=tmp_path,
        env={**kept, "PYTHONPATH": str(PROJECT_DIR)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert f"a stage has {wanted}\n" in done.stdout


def test_what_is_no_choice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "stand-ins")

    with pytest.raises(pytest.UsageError, match="stand-in, real, auto"):
        chosen_providers()
