"""Reads lists of a cluster, and keeps what could not be read."""

import kr8s.asyncio

from daskfleet.access.errors import words_of
from daskfleet.access.kubernetes_api import UNREAD, get
from daskfleet.team.status.observed import Objects

OF_A_PAGE = 500
"""Objects of one answer, as ``kubectl`` asks."""


class Reader:
    """Reads lists of one namespace, or of all."""

    def __init__(self, api: kr8s.asyncio.Api, *, namespace: str | None, most_objects: int) -> None:
        """Read no more than ``most_objects`` of one kind."""
        self._api = api
        self._namespace = namespace
        self._most = most_objects
        self.not_known: list[str] = []

    async def all_of(
        self, version: str, plural: str, called: str, *, labels: str = "", fields: str = ""
    ) -> Objects | None:
        """Return the objects of a kind; None where they cannot be read."""
        found: Objects = ()
        onwards = ""
        try:
            for _ in range(-(-self._most // OF_A_PAGE)):
                answer = await get(
                    self._api,
                    version,
                    plural,
                    namespace=self._namespace,
                    params={
                        "limit": str(min(OF_A_PAGE, self._most)),
                        **({"labelSelector": labels} if labels else {}),
                        **({"fieldSelector": fields} if fields else {}),
                        **({"continue": onwards} if onwards else {}),
                    },
                )
                found += tuple(answer["items"])
                onwards = (answer.get("metadata") or {}).get("continue") or ""
                if not onwards:
                    return found
        except UNREAD as error:
            self.not_known.append(f"{called}: {words_of(error)}")
            return None
        self.not_known.append(f"{called}: there are more than {self._most}")
        return found
