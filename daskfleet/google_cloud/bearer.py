"""A token for Google's APIs; how it is had is not here, so nothing that finds one is needed."""

from dataclasses import dataclass

UNSENDABLE = "the token has a character that no request can carry, perhaps a line break"
"""Told in place of the client's own words, which have the header in them, and so the token."""


@dataclass(frozen=True, kw_only=True)
class Access:
    """A token and whose it is."""

    token: str
    kind: str
    """What the credentials are, in words; never a secret."""
    member: str = ""
    """As IAM writes it, for example ``serviceAccount:ci@acme.iam.gserviceaccount.com``."""
    billed_to: str = ""
    """The quota project of a user's credentials."""

    @property
    def headers(self) -> dict[str, str]:
        """With which Google is asked."""
        billed = {"X-Goog-User-Project": self.billed_to} if self.billed_to else {}
        return {"Authorization": f"Bearer {self.token}", **billed}
