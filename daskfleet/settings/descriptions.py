"""What the docstrings of settings say, as descriptions for the schema that editors show.

Not pydantic's own ``use_attribute_docstrings``: that reads the source of every model whenever it is
imported, which is a third of what the program's own imports take in each preview.
"""

import ast
import inspect
from collections.abc import Iterator

from daskfleet.settings.base import Settings


def describe(model: type[Settings]) -> None:
    """Give the fields of all models under ``model`` what is written below them in the source."""
    for each in model.__subclasses__():
        texts = {name: text for base in reversed(each.__mro__) for name, text in _texts(base)}
        for name, field in each.model_fields.items():
            field.description = field.description or texts.get(name)
        each.model_rebuild(force=True)
        describe(each)


def _texts(model: type) -> Iterator[tuple[str, str]]:
    """Yield names and docstrings of the attributes of one class."""
    if not issubclass(model, Settings):
        return
    (definition,) = ast.parse(inspect.getsource(model)).body
    assert isinstance(definition, ast.ClassDef)  # noqa: S101 - that is the source of a class
    for attribute, below in zip(definition.body, definition.body[1:], strict=False):
        match attribute, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, inspect.cleandoc(text)
