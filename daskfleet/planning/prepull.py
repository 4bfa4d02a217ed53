"""Which image each GPU pool pulls before a Dask pod asks for it."""

import hashlib
from dataclasses import dataclass

from daskfleet.contract.nodes import Taint
from daskfleet.planning.generations import Generation, generation_of
from daskfleet.planning.pools import dask_pools, images_on, taints_of
from daskfleet.settings.stack import Stack

DIGEST_LENGTH = 8


@dataclass(frozen=True, kw_only=True)
class Pull:
    """One image on one pool."""

    generation: Generation
    """The pool as GKE knows it."""

    image: str
    taints: tuple[Taint, ...]
    """Those of the pool."""

    @property
    def name(self) -> str:
        """Another image, and another generation of the pool, is another name."""
        digest = hashlib.sha256(self.image.encode()).hexdigest()[:DIGEST_LENGTH]
        return f"{self.generation.name}-{digest}"


def pulls_of(stack: Stack) -> tuple[Pull, ...]:
    """All pulls of a stack; none without ``image_prepull``."""
    if not stack.image_prepull:
        return ()
    return tuple(
        Pull(
            generation=generation_of(pool, stack),
            image=image,
            taints=taints_of(pool),
        )
        for _, pool in dask_pools(stack)
        for image in images_on(pool, stack=stack)
    )
