"""Unit: what is changed in a file, and what is not."""

import pytest

from tests.mutants.mutations import Change, change, mutants_of, mutated


def changes(source: str) -> list[str]:
    """What the changed lines of a file would read."""
    texts = (mutated(mutant, source) for mutant in mutants_of("f.py", source))
    return sorted(change(source, text).after for text in texts if text)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("b = a < 1", ["b = a < 0", "b = a < 2", "b = a <= 1"]),
        ("b = a == c", ["b = a != c"]),
        ("b = a is None", ["b = a is not None"]),
        ("b = a and c", ["b = a or c"]),
        ("b = not a", ["b = a"]),
        ("b = a - c", ["b = a + c"]),
        ("b = a | c", ["b = a & c"]),
        ("b = f(flag=True)", ["b = f(flag=False)"]),
        ("b = a if c else d", ["b = a if not c else d"]),
    ],
)
def test_plausible_mistakes_are_made(line: str, after: list[str]) -> None:
    assert changes(f"{line}\n") == after


@pytest.mark.parametrize(
    "source",
    [
        "def f(a: int | None) -> int | None:\n    pass\n",
        "a: dict[str, int | None] = f()\n",
        "@dataclass(frozen=True)\nclass A:\n    pass\n",
        "@cache(size=4096)\ndef f():\n    pass\n",
        "async def f(*, a, b):\n    return {**a, **b}\n",
        "zip(a, b, strict=True)\nif TYPE_CHECKING:\n    pass\n",
        "model_config = ConfigDict(frozen=True)\n",
        'if __name__ == "__main__":\n    main()\n',
    ],
)
def test_what_changes_nothing_that_runs_is_left_alone(source: str) -> None:
    assert changes(source) == []


def test_a_mutant_knows_the_function_that_it_is_in() -> None:
    source = "def outer():\n    return [lambda: 1 < x]\n"

    assert {mutant.function for mutant in mutants_of("f.py", source)} == {"outer"}


def test_a_change_is_told_without_indentation_and_by_all_its_lines() -> None:
    before = "def f():\n    if (a\n            and b):\n        pass\n"
    after = "def f():\n    if not (a\n            or b):\n        pass\n"

    assert change(before, after) == Change("if (a\nand b):", "if not (a\nor b):")


def test_a_change_beside_a_line_that_reads_the_same_is_one_line() -> None:
    assert change("a = 1\na = 1\nb = 2\n", "a = 1\na = 2\nb = 2\n") == Change("a = 1", "a = 2")


def test_a_file_with_groups_of_exceptions_keeps_its_other_mistakes() -> None:
    source = "try:\n    a = b < c\nexcept* OSError:\n    pass\n"

    assert changes(source) == ["a = b <= c"]
