"""Where nodes pull images from that are not public."""

from typing import Self

from pydantic import model_validator

from daskfleet.settings.base import Settings, conflict
from daskfleet.settings.google_names import ProjectId
from daskfleet.settings.names import ImagePath, SecretName


class Registry(Settings):
    """Registries of one's own."""

    mirror: ImagePath | None = None
    """Where copies of the fleet's helper images are, without a slash at the end. The image
    ``registry.k8s.io/pause`` is then ``<mirror>/registry.k8s.io/pause``, with the same tag and
    digest. ``daskfleet images`` lists what to copy. Left out: each comes from where its makers
    publish it. Teams' images are pulled from where the stack file says."""

    reader_in: tuple[ProjectId, ...] = ()
    """Other projects in whose Artifact Registry the nodes may read: ``up`` grants their account
    ``roles/artifactregistry.reader`` there. Left out: who administers such a project grants it, and
    ``daskfleet doctor`` has the command."""

    pull_secret: SecretName | None = None
    """Name of a Secret of type ``kubernetes.io/dockerconfigjson`` in each team's namespace, with
    which the team's pods pull their images. Somebody else makes it: no value of it is in the stack
    file or in Pulumi's state. Artifact Registry needs none."""

    @model_validator(mode="after")
    def _grants_once(self) -> Self:
        if len(set(self.reader_in)) < len(self.reader_in):
            raise conflict(
                "reader_in",
                "A project stands there twice, and one grant is one resource.",
                allowed="each project once",
                next_step="remove the repetition.",
            )
        return self
