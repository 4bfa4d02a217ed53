"""Unit: what every component keeps to, the ones that nobody has written yet included."""

import importlib
import inspect
import json
import pkgutil
from pathlib import Path
from typing import Any, get_args

import pulumi
import pytest
from pydantic import BaseModel

import components
from daskfleet.settings.stack import Stack
from tests.recorded_program import Recording, record
from tests.setting_changes import BASE, CHANGES, changed
from tests.setting_classes.found import Found, worst_of
from tests.setting_classes.page import class_named, class_on_page
from tests.setting_classes.together import TOGETHER


def all_components() -> list[type[pulumi.ComponentResource]]:
    """Every component resource that components/ defines."""
    modules = [
        importlib.import_module(f"components.{module.name}")
        for module in pkgutil.iter_modules(components.__path__)
    ]
    return [
        member
        for module in modules
        for _, member in inspect.getmembers(module, inspect.isclass)
        if issubclass(member, pulumi.ComponentResource) and member.__module__ == module.__name__
    ]


COMPONENTS = pytest.mark.parametrize("component", all_components(), ids=lambda c: c.__name__)


@COMPONENTS
def test_class_type_token_and_file_have_the_same_name(component: Any) -> None:
    project, module, name = component.TYPE.split(":")
    file = component.__module__.removeprefix("components.")

    assert (project, name) == ("daskfleet", component.__name__)
    assert module in {"gke", "dask"}
    assert file.replace("_", "") == component.__name__.lower()


def test_type_tokens_are_unique() -> None:
    tokens = [component.TYPE for component in all_components()]  # type: ignore[attr-defined]

    assert len(tokens) == len(set(tokens)) >= 9


@COMPONENTS
def test_the_name_comes_first_and_all_else_by_keyword(component: Any) -> None:
    _, name, *rest = inspect.signature(component.__init__).parameters.values()

    assert name.name == "name"
    assert {parameter.kind for parameter in rest} == {inspect.Parameter.KEYWORD_ONLY}
    assert rest[-1].name == "opts"
    assert rest[-1].default is None


@COMPONENTS
def test_the_docstring_says_what_it_owns(component: Any) -> None:
    assert "own" in component.__doc__.lower()


def test_no_file_outgrows_its_subject() -> None:
    files = Path("components").glob("*.py")
    lines = {file.name: len(file.read_text("utf-8").splitlines()) for file in files}

    assert [name for name, count in lines.items() if count > 250] == []


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch) -> Recording:
    return record(BASE, monkeypatch)


def test_every_component_takes_part_and_registers_its_outputs(fleet: Recording) -> None:
    used = {each.type for each in fleet.registrations if not each.is_custom}
    registered = {urn.split("::")[2].split("$")[-1] for urn in fleet.component_outputs}
    tokens = {component.TYPE for component in all_components()}  # type: ignore[attr-defined]

    assert used == tokens
    assert tokens <= registered


def test_every_resource_belongs_to_a_component_but_for_the_google_provider(
    fleet: Recording,
) -> None:
    alone = {
        each.type
        for each in fleet.registrations
        if each.is_custom and "daskfleet:" not in each.parent
    }

    assert alone == {"pulumi:providers:gcp"}


def leaves(model: type[BaseModel], prefix: str = "") -> set[str]:
    """Every setting that holds a value of its own, as a path."""
    found: set[str] = set()
    for name, field in model.model_fields.items():
        path = f"{prefix}{name}"
        nested = models_in(field.annotation)
        found |= set().union(*(leaves(each, f"{path}.") for each in nested)) if nested else {path}
    return found


def models_in(annotation: Any) -> list[type[BaseModel]]:
    """Models inside of an annotation such as ``tuple[Team, ...]`` or ``Image | None``."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in models_in(part)]


def test_no_setting_is_left_out_of_the_next_test() -> None:
    assert set(CHANGES) == leaves(Stack)


READ_BY_COMMANDS = {"teams.monthly_budget_usd"}
"""Settings that the program itself does not read.

A team's budget is held against what Google billed, by `daskfleet cost --actual` alone:
tests/daskfleet/platform/cost/test_bill.py shows that it decides there.
"""


@pytest.fixture(scope="module")
def known() -> dict[str, Recording]:
    """Stacks that were recorded before: most changes begin with the same one."""
    return {}


@pytest.mark.soak(every=5)
@pytest.mark.parametrize("path", CHANGES)
def test_every_setting_reaches_a_resource_or_a_decision(
    path: str, known: dict[str, Recording], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = changed(path)
    key = json.dumps(before)
    if key not in known:
        known[key] = record(before, monkeypatch)

    found: Found | None = None
    try:
        recorded = record(after, monkeypatch)
        outcome, found = recorded.fingerprint, worst_of(known[key], recorded)
    except pulumi.RunError as refusal:
        outcome = str(refusal)

    assert (outcome == known[key].fingerprint) == (path in READ_BY_COMMANDS)
    if path not in TOGETHER:
        assert class_on_page(path) == class_named(found), "python -m tests.setting_classes"
