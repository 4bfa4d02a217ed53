"""The provider's resource ids, such as `projects/p/global/networks/n`."""

import re
from collections.abc import Mapping

from rehearsal.providers.protocol import ProviderError


def parse_id(pattern: str, resource_id: str) -> Mapping[str, str]:
    """Take the parts of an id by a pattern such as `projects/{project}/global/networks/{name}`.

    Raises ProviderError when the id does not have that form (an import with a short id).
    """
    expression = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(pattern))
    match = re.fullmatch(expression, resource_id)
    if match is None:
        raise ProviderError(f"the id {resource_id!r} does not have the form {pattern}")
    return match.groupdict()
