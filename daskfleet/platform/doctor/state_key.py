"""Pure: the key of Cloud KMS that encrypts the secrets of the stack's state."""

import re

from daskfleet.platform.doctor.keys import Wanted
from daskfleet.platform.doctor.model import Area

_PROVIDER = re.compile(
    r"gcpkms://(projects/([^/]+)/locations/([^/]+)/keyRings/([^/]+)/cryptoKeys/([^/?]+))(?:\?.*)?"
)
"""How a stack file names it (pulumi.com, "Secrets providers")."""

SUBJECT = "key of the secrets provider"


def state_key(provider: str) -> Wanted | None:
    """Return the key that ``secretsprovider`` names; None where it is none of Cloud KMS."""
    found = _PROVIDER.fullmatch(provider)
    if found is None:
        return None
    path, project, location, ring, name = found.groups()
    return Wanted(
        area=Area.STATE,
        subject=SUBJECT,
        named_by="secretsprovider",
        path=path,
        project=project,
        location=location,
        ring=ring,
        name=name,
    )
