"""Unit: whose JupyterLab is meant."""

from pathlib import Path

import pytest

from daskfleet.contract.declared import DeclaredJupyter
from daskfleet.team.connect.errors import ConnectError
from daskfleet.team.connect.jupyter import Wanted

BESIDE = Path("at/fraud.connection.json")
ALICES = {"service": "jupyter-alice", "token_secret": "jupyter-alice-token"}


def declared(people: dict[str, dict[str, str]] | None) -> DeclaredJupyter:
    return DeclaredJupyter.model_validate(
        {
            "service": "jupyter",
            "port": 8888,
            "token_secret": "jupyter-token",
            "image": "registry.example/lab:1",
            "people": people,
        }
    )


def test_without_a_name_it_is_the_teams() -> None:
    assert Wanted().among(declared({"alice": ALICES})).service == "jupyter"
    assert Wanted().token_file("fraud", beside=BESIDE) == Path("at/fraud.jupyter-token")


def test_with_a_name_it_is_the_persons() -> None:
    alice = Wanted(person="alice")
    assert alice.among(declared({"alice": ALICES})).model_dump() == ALICES
    assert alice.token_file("fraud", beside=BESIDE) == Path("at/fraud.alice.jupyter-token")


@pytest.mark.parametrize(
    ("people", "whose"), [({"alice": ALICES}, "those of alice"), (None, "no person's")]
)
def test_who_has_none_is_told_who_has(people: dict[str, dict[str, str]] | None, whose: str) -> None:
    with pytest.raises(ConnectError, match=whose) as error:
        Wanted(person="bob").among(declared(people))
    assert "`jupyter.people`" in str(error.value)


def test_what_is_no_name_is_nobodys_and_no_traceback() -> None:
    nobody = Wanted(person="../bob")
    assert nobody.token_file("fraud", beside=BESIDE).name == "bob.jupyter-token"
    with pytest.raises(ConnectError, match="those of alice"):
        nobody.among(declared({"alice": ALICES}))
