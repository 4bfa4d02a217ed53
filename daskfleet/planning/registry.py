"""Where images come from, and with which credential: the node account's, or a team's own."""

from collections.abc import Iterator
from dataclasses import dataclass

from daskfleet.catalog.helper_images import HelperImage, helper_images
from daskfleet.planning.image_streaming import ARTIFACT_REGISTRY
from daskfleet.planning.operator_image import operator_image
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.problems import Problem
from daskfleet.settings.software import DaemonSetDriver
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team

READER = "roles/artifactregistry.reader"
"""Pull and list; no change (cloud.google.com/artifact-registry/docs/access-control)."""


@dataclass(frozen=True, kw_only=True, order=True)
class Repository:
    """A repository of Artifact Registry."""

    project: str
    location: str
    name: str

    @property
    def path(self) -> str:
        """Where its API has it."""
        return f"projects/{self.project}/locations/{self.location}/repositories/{self.name}"

    @property
    def host_path(self) -> str:
        """What references of its images begin with."""
        return f"{self.location}{ARTIFACT_REGISTRY}/{self.project}/{self.name}"


def repository_of(image: str) -> Repository | None:
    """The repository that an image is in; None where it is in another registry.

    ``LOCATION-docker.pkg.dev/PROJECT/REPOSITORY/IMAGE``
    (cloud.google.com/artifact-registry/docs/docker/names). A project of an organisation's domain
    is written ``example.com:project`` and has a slash for the colon there.
    """
    host, _, path = image.partition("/")
    parts = path.split("/")
    if "." in parts[0]:
        parts = [f"{parts[0]}:{parts[1]}", *parts[2:]] if len(parts) > 1 else []
    if not host.endswith(ARTIFACT_REGISTRY) or len(parts) <= len(("project", "repository")):
        return None
    return Repository(
        project=parts[0], location=host.removesuffix(ARTIFACT_REGISTRY), name=parts[1]
    )


def mirrored(image: HelperImage, stack: Stack) -> HelperImage:
    """The image at the place that the stack has it from."""
    return image.at(stack.registry.mirror) if stack.registry.mirror else image


def pause_image(stack: Stack) -> HelperImage:
    """The image of containers that do nothing."""
    return mirrored(helper_images()["pause"], stack)


def operators_image(stack: Stack) -> HelperImage:
    """The image of the operator and of this project's controllers."""
    return mirrored(operator_image(stack.operator), stack)


def helpers_of(stack: Stack) -> tuple[HelperImage, ...]:
    """The helper images that the stack's pods run, from where their makers publish them."""
    needs_pause = stack.image_prepull or isinstance(stack.driver, DaemonSetDriver)
    pause = (helper_images()["pause"],) if needs_pause else ()
    return (*pause, operator_image(stack.operator))


def pull_secret_of(team: Team, stack: Stack) -> str | None:
    """The Secret with which the team's pods pull."""
    return team.pull_secret or stack.registry.pull_secret


def registry_problems(stack: Stack) -> Iterator[Problem]:
    """Grants that say nothing, and pulls that would lack their credential."""
    for index, project in enumerate(stack.registry.reader_in):
        if project == stack.project:
            yield Problem(
                key=f"registry.reader_in[{index}]",
                value=project,
                reason="It is the stack's own project, in which the nodes may read anyway.",
                allowed="other projects",
                next_step="remove it.",
            )
    if not stack.image_prepull:
        return
    for index, team in teams_with_cluster(stack):
        secret = pull_secret_of(team, stack)
        if secret:
            yield Problem(
                key=f"teams[{index}].pull_secret",
                value=secret,
                reason="image_prepull pulls in a namespace of its own, where no pod may use a "
                "Secret of the team's.",
                allowed="one of image_prepull and pull_secret; both go with Artifact Registry, "
                "which the nodes read without a Secret",
                next_step="set image_prepull to false, or copy the image to Artifact Registry and "
                "remove pull_secret.",
            )
