"""What every settings model shares: frozen, and no key that nobody reads."""

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """A part of a stack file.

    Immutable, because components may read it from asynchronous code, and closed, because a
    misspelt key that is silently ignored is a cluster that differs from its declaration.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        validate_default=True,
    )
