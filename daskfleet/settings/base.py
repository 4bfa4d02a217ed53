"""What every settings model shares: frozen, and no key that nobody reads."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

UNKNOWN_KEYS = "unknown_keys"
"""Type of the validation error for keys that do not exist; see ``loading`` for its context."""

CONFLICT = "conflict"
"""Type of the validation error for keys that contradict each other; see ``conflict``."""

REFUSAL = "refusal"
"""Type of the validation error for a value whose mistake is told; see ``refusal``."""


class Settings(BaseModel):
    """A part of a stack file.

    Immutable, because components may read it from asynchronous code, and closed, because a
    misspelt key that is silently ignored is a cluster that differs from its declaration.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        validate_default=True,
        allow_inf_nan=False,
    )

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, data: Any) -> Any:
        # extra="forbid" refuses as well, but does not say which keys there are.
        if isinstance(data, Mapping):
            unknown = [str(key) for key in data if key not in cls.model_fields]
            if unknown:
                raise PydanticCustomError(
                    UNKNOWN_KEYS,
                    "unknown keys",
                    {"unknown": unknown, "valid": list(cls.model_fields)},
                )
        return data


def conflict(key: str, reason: str, *, allowed: str, next_step: str) -> PydanticCustomError:
    """The error to raise in a validator when ``key`` contradicts its neighbours.

    Args:
        key: the key to name, and to leave out where the rest is checked nevertheless.
        reason: what is wrong, as a sentence.
        allowed: what is allowed.
        next_step: what to do.
    """
    context = {"key": key, "reason": reason, "allowed": allowed, "next_step": next_step}
    return PydanticCustomError(CONFLICT, "{reason}", context)


def refusal(reason: str, *, allowed: str, next_step: str) -> PydanticCustomError:
    """The error to raise in a validator of one value, with what is wrong with it.

    Args:
        reason: what is wrong, as a sentence.
        allowed: what is allowed.
        next_step: what to do.
    """
    context = {"reason": reason, "allowed": allowed, "next_step": next_step}
    return PydanticCustomError(REFUSAL, "{reason}", context)
