"""Each team's image: can it be read, does RAPIDS publish it, what is known of it?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from daskfleet.catalog.software import RapidsRelease, cuda_majors, rapids_releases
from daskfleet.planning.image_needs import ImageNeeds, needs_of, release_in
from daskfleet.planning.images import ALLOWED, ImageContents, read_image
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.problems import Problem, shown
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team


@dataclass(frozen=True, kw_only=True)
class TeamImage:
    """A team's image with what the catalog knows of it."""

    index: int
    """The team's place in the stack file."""

    team: Team
    key: str
    """Where the image is named: at the team, or for the whole stack."""

    contents: ImageContents
    release: RapidsRelease | None
    """The facts of this release, or of the newest one before it that the catalog knows."""

    needs: ImageNeeds
    """What the image needs of driver and GPUs."""

    @property
    def is_in_catalog(self) -> bool:
        """Whether the facts are those of the very release."""
        return self.release is not None and self.release.release == self.contents.image.rapids


def team_images(stack: Stack) -> tuple[TeamImage, ...]:
    """The image of each team whose image can be read, with what the catalog knows of it.

    Looked up once for a plan, and passed to whatever asks.
    """
    return tuple(
        TeamImage(
            index=index,
            team=team,
            key=f"teams[{index}].image" if team.image else "image",
            contents=contents,
            release=release_in(contents.image),
            needs=needs_of(contents.image),
        )
        for index, team, contents in readable_images(stack)
    )


def readable_images(stack: Stack) -> Iterator[tuple[int, Team, ImageContents]]:
    """Each team whose image can be read: its place in the stack file, itself, and the image."""
    for index, team in teams_with_cluster(stack):
        contents = read_image(team.image or stack.image)
        if contents is not None:
            yield index, team, contents


def image_problems(stack: Stack, images: Sequence[TeamImage]) -> list[Problem]:
    """Images that cannot be read or do not exist."""
    return [*_unreadable(stack), *_unpublished(images)]


def _unreadable(stack: Stack) -> Iterator[Problem]:
    teams = teams_with_cluster(stack)
    settings = {f"teams[{index}].image": team.image for index, team in teams}
    if any(team.image is None for _, team in teams):
        settings = {"image": stack.image, **settings}
    for key, setting in settings.items():
        if setting is not None and read_image(setting) is None:
            yield Problem(
                key=key,
                value=shown(setting),
                reason="The tag does not say which RAPIDS release and CUDA version are inside, "
                "and the driver and the GPUs must fit them.",
                allowed=ALLOWED,
                next_step="write the mapping {ref, rapids, cuda} in place of the reference.",
            )


def _unpublished(images: Sequence[TeamImage]) -> Iterator[Problem]:
    known = rapids_releases()
    for image in {each.key: each for each in images}.values():
        inside = image.contents.image
        builds = [cuda for release, cuda in known if release == inside.rapids]
        if inside.cuda not in (builds or cuda_majors()):
            yield Problem(
                key=image.key,
                value=inside.ref,
                reason=f"RAPIDS {inside.rapids} is not built for CUDA {inside.cuda}.",
                allowed=f"CUDA {' or '.join(map(str, builds or cuda_majors()))}",
                next_step="choose an image for one of those.",
            )
        python = image.contents.python
        if image.release and python and python not in image.release.pythons:
            yield Problem(
                key=image.key,
                value=inside.ref,
                reason=f"RAPIDS {inside.rapids} is not published for Python {python}.",
                allowed=f"Python {', '.join(image.release.pythons)}",
                next_step=f"write -py{image.release.pythons[-1]}, and the same in the clients.",
            )
