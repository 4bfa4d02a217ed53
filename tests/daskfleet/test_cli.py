"""Unit: the list of verbs, which knows nothing of their code, is true."""

import subprocess
import sys
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from daskfleet.cli import app, load
from daskfleet.verbs import VERBS

RUN = CliRunner()
PACKAGES_OF_VERBS = "pulumi", "pydantic", "kr8s", "httpx", "rehearsal"


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_listed_as_it_describes_itself(name: str) -> None:
    first = load(name, VERBS[name]).help.partition("\n\n")[0]
    assert VERBS[name].help == " ".join(first.split())


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_found_by_its_name(name: str) -> None:
    done = RUN.invoke(app, [name, "--help"], prog_name="daskfleet")
    assert (done.exit_code, f"Usage: daskfleet {name}" in done.stdout) == (0, True)


def test_the_help_has_every_verb_under_those_who_use_it() -> None:
    said = RUN.invoke(app, ["--help"]).stdout
    places = [said.index(f" {name} ") for name in VERBS]
    assert places == sorted(places)
    for users in {verb.users for verb in VERBS.values()}:
        assert users in said


def test_the_help_loads_nothing_of_the_verbs() -> None:
    text = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from daskfleet.cli import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        f"print([name for name in {PACKAGES_OF_VERBS} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_verb_that_there_is_not_is_refused_with_one_that_there_is() -> None:
    done = RUN.invoke(app, ["conect"])
    assert done.exit_code == 2
    assert "'connect'" in done.stderr


def test_it_says_which_release_it_is() -> None:
    done = RUN.invoke(app, ["--version"])
    assert (done.exit_code, done.stdout) == (0, f"daskfleet {version('daskfleet')}\n")
