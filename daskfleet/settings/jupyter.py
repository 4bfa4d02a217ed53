"""A team's JupyterLab beside its Dask cluster."""

from collections import Counter
from typing import Annotated, Self

from pydantic import Field, model_validator

from daskfleet.contract.dask import DASK_DEPLOYMENT
from daskfleet.settings.base import Settings, conflict
from daskfleet.settings.google_names import PoolName, UserMember
from daskfleet.settings.names import PersonName, StorageClassName
from daskfleet.settings.sizes import Cores, Gib
from daskfleet.settings.software import ImageSetting

MOST_PEOPLE = 50
"""A pod and a disk for each, day and night: for more than this a JupyterHub is cheaper."""


class Person(Settings):
    """Somebody of the team with a JupyterLab of their own."""

    name: PersonName
    """Names the JupyterLab: ``jupyter-<name>`` in the team's namespace. Another name is another
    home."""

    member: UserMember
    """The only person who may read its token. It must be one of the team's ``members``, directly or
    through a group."""

    @model_validator(mode="after")
    def _has_no_name_of_dasks(self) -> Self:
        if DASK_DEPLOYMENT.search(f"-{self.name}"):
            raise conflict(
                "name",
                f"jupyter-{self.name} is how the operator names what is Dask's in a team called "
                "jupyter, and policies tell JupyterLabs from Dask by their names.",
                allowed="names that do not end in scheduler, or in worker and ten digits",
                next_step="choose another name.",
            )
        return self


class Jupyter(Settings):
    """JupyterLab for a team, with a home that outlives it, connected to its Dask cluster."""

    image: ImageSetting | None = None
    """Image with JupyterLab and dask-labextension. It needs the RAPIDS release, CUDA and Python of
    the team's image. Left out: RAPIDS' ``notebooks`` image with the tag of the team's ``base``
    image."""

    worker_pool: PoolName | None = None
    """Worker pool on which it runs, with one GPU of its own, or with one share or partition if the
    pool divides its GPUs. Left out: the system pool, without a GPU."""

    cpu: Cores = 2
    """CPU cores."""

    memory_gib: Gib = 8
    """Memory in GiB, for all notebooks together."""

    storage_gib: Annotated[int, Field(ge=10, le=65536)] = 50
    """Size of the home in GiB. It can grow and not shrink."""

    storage_class: StorageClassName = "standard-rwo"
    """StorageClass of the home. GKE has ``standard-rwo`` (balanced disks) and ``premium-rwo`` (SSD)
    in every cluster. It is fixed for a home's life. Another class means another home, and is
    refused while ``long_lived`` protects this one."""

    people: Annotated[tuple[Person, ...], Field(max_length=MOST_PEOPLE)] = ()
    """People with a JupyterLab of their own beside the team's. Each has the same image, size and
    place, and its own home and token."""

    @property
    def labs(self) -> int:
        """How many there are: the team's, and one for each person."""
        return 1 + len(self.people)

    @model_validator(mode="after")
    def _each_person_once(self) -> Self:
        for key in ("name", "member"):
            counts = Counter(getattr(person, key) for person in self.people)
            twice = ", ".join(value for value, count in counts.items() if count > 1)
            if twice:
                raise conflict(
                    "people",
                    f"More than one of them has the {key} {twice}.",
                    allowed=f"each {key} once",
                    next_step="remove one of them, or correct it.",
                )
        return self
