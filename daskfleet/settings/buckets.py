"""Which Cloud Storage buckets a team's pods may use."""

from typing import Literal

from daskfleet.settings.base import Settings
from daskfleet.settings.google_names import BucketName

BucketAccess = Literal["read", "write"]


class Bucket(Settings):
    """A bucket that exists; the program makes none and deletes none."""

    name: BucketName
    """The bucket's name, without ``gs://``. It may belong to another project."""

    access: BucketAccess = "read"
    """``read``: list and read objects. ``write``: make, overwrite and delete them too."""
