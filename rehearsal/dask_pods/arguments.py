"""Pure: flags of a command line, written `--flag value` or `--flag=value`."""

from collections.abc import Collection, Sequence


class Arguments:
    """The words after a command, with flags read, replaced and taken out."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)

    @property
    def words(self) -> tuple[str, ...]:
        """What is left, in its order."""
        return tuple(self._words)

    def value(self, flag: str) -> str | None:
        """Give the flag's last value, the one that counts, or None where it is not given."""
        found = None
        for index, word in enumerate(self._words):
            name, equals, value = word.partition("=")
            if name == flag:
                found = value if equals else "".join(self._words[index + 1 : index + 2])
        return found

    def set(self, flag: str, value: str) -> None:
        """Give the flag this value, in its place, or at the end where it is new."""
        names = [word.partition("=")[0] for word in self._words]
        at = names.index(flag) if flag in names else len(names)
        self.drop({flag}, takes_value=True)
        self._words[at:at] = [flag, value]

    def drop(self, flags: Collection[str], *, takes_value: bool) -> list[str]:
        """Take flags out, with their values, and return the words that went."""
        kept: list[str] = []
        dropped: list[str] = []
        values_to_come = 0
        for word in self._words:
            name, equals, _ = word.partition("=")
            if values_to_come or name in flags:
                dropped.append(word)
                values_to_come = 0 if values_to_come else int(takes_value and not equals)
            else:
                kept.append(word)
        self._words = kept
        return dropped
