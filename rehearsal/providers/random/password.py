"""``random:index/randomPassword:RandomPassword`` of letters and digits.

As the real provider (terraform-provider-random, ``resource_password.go``): every change of an input
is another password, the result is secret, and the ID says nothing. Not as it: no ``bcryptHash``,
and no inputs but ``length``, ``special: false`` and ``keepers``.
"""

import secrets
import string
from typing import ClassVar, Final

from typing_extensions import override

from rehearsal.providers.protocol import (
    UNKNOWN,
    Checked,
    CheckFailure,
    Naming,
    Properties,
    StateOnlyResource,
    reveal,
)

PASSWORD_TYPE: Final = "random:index/randomPassword:RandomPassword"  # noqa: S105  (a type token)
ID: Final = "none"
ALPHABET: Final = string.ascii_letters + string.digits


class RandomPassword(StateOnlyResource):
    """A password that is made once and kept in the state."""

    required: ClassVar[frozenset[str]] = frozenset({"length", "special"})
    optional: ClassVar[frozenset[str]] = frozenset({"keepers"})
    computed: ClassVar[frozenset[str]] = frozenset({"result"})
    secret: ClassVar[frozenset[str]] = computed

    @override
    def check(self, *, inputs: Properties, old_inputs: Properties, naming: Naming) -> Checked:
        failures = [*super().check(inputs=inputs, old_inputs=old_inputs, naming=naming).failures]
        plain = reveal(inputs)
        if plain.get("special"):
            failures.append(CheckFailure("special", "the stand-in serves only `special: false`"))
        length = plain.get("length", UNKNOWN)
        if length is not UNKNOWN and not (isinstance(length, int) and length > 0):
            failures.append(CheckFailure("length", "it must be at least 1"))
        return Checked(inputs, failures)

    @override
    def make(self, inputs: Properties) -> tuple[str, Properties]:
        return ID, {"result": "".join(secrets.choice(ALPHABET) for _ in range(inputs["length"]))}
