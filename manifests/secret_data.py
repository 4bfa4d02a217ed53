"""Pure: what a Kubernetes Secret holds, as the API server keeps it.

``data`` and not ``stringData``: the API server writes the latter into the former and forgets it, so
nobody could compare what is declared with what is there.
"""

import base64


def secret_data(text: str) -> str:
    """Write a text as a value of a Secret's ``data``."""
    return base64.b64encode(text.encode()).decode()
