"""``random:index/randomPassword:RandomPassword`` of letters and digits.

As the real provider (terraform-provider-random, ``resource_password.go``): every change of an input
is another password, the result is secret, and the ID says nothing. Not as it: no ``bcryptHash``,
and no inputs but ``length``, ``special: false`` and ``keepers``.
"""

import secrets
import string
from typing import Final

from rehearsal.providers.protocol import (
    UNKNOWN,
    Call,
    Checked,
    CheckFailure,
    Diff,
    Naming,
    Properties,
    ProviderError,
    ResourceType,
    Secret,
    State,
    changed_paths,
    reveal,
    with_replacements,
)

PASSWORD_TYPE: Final = "random:index/randomPassword:RandomPassword"  # noqa: S105  (a type token)
ID: Final = "none"
ALPHABET: Final = string.ascii_letters + string.digits
SERVED: Final = {"length", "special", "keepers"}


class RandomPassword(ResourceType):
    """A password that is made once and kept in the state."""

    def check(self, *, inputs: Properties, old_inputs: Properties, naming: Naming) -> Checked:
        """Refuse what is not served."""
        del old_inputs, naming
        plain = reveal(inputs)
        failures = [
            CheckFailure(name, "the rehearsal's stand-in for random does not serve it")
            for name in sorted(plain.keys() - SERVED)
        ]
        if plain.get("special") is not False:
            failures.append(CheckFailure("special", "the stand-in serves only `special: false`"))
        length = plain.get("length")
        if length is not UNKNOWN and not (isinstance(length, int) and length > 0):
            failures.append(CheckFailure("length", "it must be at least 1"))
        return Checked(inputs, failures)

    def diff(self, *, old: State, inputs: Properties) -> Diff:
        """Make another password for any change."""
        changes = changed_paths(old.inputs, inputs)
        return Diff(changes=with_replacements(changes, replacing=lambda _: True))

    def create(self, *, inputs: Properties, call: Call) -> State:
        """Make one; in a preview it is not known yet."""
        if call.preview:
            return State(id="", inputs=inputs, outputs={**inputs, "result": UNKNOWN})
        result = "".join(secrets.choice(ALPHABET) for _ in range(reveal(inputs)["length"]))
        return State(id=ID, inputs=inputs, outputs={**inputs, "result": Secret(result)})

    def read(self, *, stored: State, call: Call) -> State | None:
        """Return what the state has: there is nowhere else to look."""
        del call
        return stored

    def update(self, *, old: State, inputs: Properties, call: Call) -> State:
        """Refuse: nothing changes in place."""
        del old, inputs, call
        raise ProviderError("a password cannot be changed in place")

    def delete(self, *, old: State, call: Call) -> None:
        """Forget it."""
