"""What can be changed in a source file: Cosmic Ray's mutations, less what nobody could notice."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator

OPERATORS = (
    # A bound is where mistakes are made: one step beyond it, not the opposite, which `not` is.
    "ReplaceComparisonOperator_Lt_LtE",
    "ReplaceComparisonOperator_LtE_Lt",
    "ReplaceComparisonOperator_Gt_GtE",
    "ReplaceComparisonOperator_GtE_Gt",
    "ReplaceComparisonOperator_Eq_NotEq",
    "ReplaceComparisonOperator_NotEq_Eq",
    "ReplaceComparisonOperator_Is_IsNot",
    "ReplaceComparisonOperator_IsNot_Is",
    "ReplaceBinaryOperator_Add_Sub",
    "ReplaceBinaryOperator_Sub_Add",
    "ReplaceBinaryOperator_Mul_Div",
    "ReplaceBinaryOperator_Div_Mul",
    "ReplaceBinaryOperator_FloorDiv_Mul",
    "ReplaceBinaryOperator_Mod_Mul",
    "ReplaceBinaryOperator_Pow_Mul",
    "ReplaceBinaryOperator_LShift_RShift",
    "ReplaceBinaryOperator_RShift_LShift",
    "ReplaceBinaryOperator_BitOr_BitAnd",
    "ReplaceBinaryOperator_BitAnd_BitOr",
    "ReplaceUnaryOperator_USub_UAdd",
    "ReplaceUnaryOperator_Delete_Not",
    "AddNot",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "ExceptionReplacer",
    "NumberReplacer",
    "ZeroIterationForLoop",
)
"""Of the tool's 242 operators those that make one plausible mistake each."""

Place = tuple[int, int]


@dataclass(frozen=True, order=True)
class Mutant:
    """One change of one file."""

    path: str
    place: Place
    operator: str
    occurrence: int
    function: str | None


@dataclass(frozen=True)
class Change:
    """What a mutant reads like: the lines that differ, wherever they are in the file."""

    before: str
    after: str


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Return every mutant of a file."""
    hidden = list(_unnoticed(ast.parse(source)))
    nodes = list(ast_nodes(get_ast(source)))
    found = []
    for name in OPERATORS:
        # Cosmic Ray 8.7.0 cannot read `except*`, and would end at it.
        if name == "ExceptionReplacer" and "except*" in source:
            continue
        positions = (
            (node, start)
            for node in nodes
            for start, _ in _operator(name).mutation_positions(node)
            if not _is_punctuation(node)
        )
        for occurrence, (node, start) in enumerate(positions):
            if not any(first <= start < last for first, last in hidden):
                function = ASTQuery(node).get_definition_name()
                found.append(Mutant(path, start, name, occurrence, function))
    return found


def mutated(mutant: Mutant, source: str) -> str | None:
    """Return the file with the mistake in it; None if the change is no Python."""
    text: str | None = mutate_code(source, _operator(mutant.operator), mutant.occurrence)
    try:
        ast.parse(text or "")
    except SyntaxError:
        return None
    return text


def change(before: str, after: str) -> Change:
    """Return the lines that differ."""
    old, new = before.splitlines(), after.splitlines()
    start = next(i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    same = 0
    while same < min(len(old), len(new)) - start - 1 and old[-1 - same] == new[-1 - same]:
        same += 1
    return Change(_joined(old[start : len(old) - same]), _joined(new[start : len(new) - same]))


def _joined(lines: list[str]) -> str:
    return "\n".join(" ".join(line.split()) for line in lines)


def _is_punctuation(node: Any) -> bool:
    """Tell `*` before keywords, and `**` of a dictionary in another, from arithmetic."""
    return node.type == "operator" and node.parent.type in {"parameters", "dictorsetmaker"}


@cache
def _operator(name: str) -> Operator:
    return get_operator(f"core/{name}")()


def _unnoticed(tree: ast.Module) -> Iterator[tuple[Place, Place]]:
    """Find what changes nothing that runs: mypy and ruff are its tests."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(annotation=ast.expr() as kept):
                yield _span(kept)
            case ast.AnnAssign(annotation=kept):
                yield _span(kept)
            case (
                ast.FunctionDef(returns=returns, decorator_list=decorators)
                | ast.AsyncFunctionDef(returns=returns, decorator_list=decorators)
            ):
                yield from map(_span, [*decorators, *([returns] if returns else [])])
            case ast.ClassDef(decorator_list=decorators):
                yield from map(_span, decorators)
            case ast.If(test=ast.Name(id="TYPE_CHECKING") as kept):
                yield _span(kept)
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__")) as kept):
                # True of a program, which no unit test is.
                yield _span(kept)
            case ast.Call(func=ast.Name(id="zip" | "ConfigDict"), keywords=keywords):
                # `strict` and `frozen` refuse what never happens.
                yield from (_span(each) for each in keywords)


def _span(node: ast.expr | ast.keyword) -> tuple[Place, Place]:
    end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    return (node.lineno, node.col_offset), end
