"""The image of the Dask operator, which the idle controller runs too."""

from dataclasses import replace

from daskfleet.catalog.helper_images import HelperImage, helper_images
from daskfleet.settings.software import Operator


def operator_image(operator: Operator) -> HelperImage:
    """Return the image of a version, by the digest that the stack file or else the catalog gives.

    ``planning.definitions`` refuses every version but the one that the catalog lists.
    """
    listed = helper_images()["dask-operator"]
    return replace(listed, tag=operator.version, digest=operator.image_digest or listed.digest)
