"""A team's JupyterLab: which image it runs, and where."""

from collections.abc import Iterator, Sequence

from daskfleet.planning.generations import generation_of
from daskfleet.planning.images import ImageContents, is_pinned, read_image
from daskfleet.planning.notebooks import notebooks_of
from daskfleet.planning.plan import JupyterPlan
from daskfleet.planning.team_images import TeamImage
from daskfleet.settings.jupyter import Jupyter
from daskfleet.settings.problems import Problem, shown
from daskfleet.settings.software import Image
from daskfleet.settings.stack import Stack

BASE = "rapidsai/base"
NOTEBOOKS = "rapidsai/notebooks"
"""RAPIDS publishes both with the same tags; the second is the first with JupyterLab and
dask-labextension (github.com/rapidsai/docker, Dockerfile)."""


def jupyter_of(image: TeamImage, stack: Stack) -> JupyterPlan | None:
    """The JupyterLab of a team that has one, if its image is known."""
    notebooks = next((each for each in notebooks_of(stack) if each.team is image.team), None)
    contents = _contents(notebooks.jupyter, image) if notebooks else None
    if notebooks is None or contents is None:
        return None
    return JupyterPlan(
        image=contents.image,
        pod=notebooks.pod,
        generation=generation_of(notebooks.pool, stack) if notebooks.pool else None,
    )


def jupyter_image_problems(images: Sequence[TeamImage]) -> list[Problem]:
    """Images that do not fit the team's."""
    return [problem for image in images for problem in _image(image)]


def _contents(jupyter: Jupyter, image: TeamImage) -> ImageContents | None:
    if jupyter.image is not None:
        return read_image(jupyter.image)
    derived = _notebooks_of(image.contents.image)
    return ImageContents(image=derived, python=image.contents.python) if derived else None


def _notebooks_of(image: Image) -> Image | None:
    """The notebooks image of the same tag; a digest names one image, and no other of its family."""
    name, _, tag = image.ref.rpartition(":")
    is_of_the_family = name == BASE or name.endswith(f"/{BASE}")
    if not is_of_the_family or "@" in image.ref:
        return None
    return image.model_copy(update={"ref": f"{name.removesuffix(BASE)}{NOTEBOOKS}:{tag}"})


def _image(image: TeamImage) -> Iterator[Problem]:
    jupyter = image.team.jupyter
    if jupyter is None:
        return
    key = f"teams[{image.index}].jupyter.image"
    team_ref = image.contents.image.ref
    contents = _contents(jupyter, image)
    if contents is None and jupyter.image is None:
        yield Problem(
            key=key,
            value="not given",
            reason=f"The team's image is {team_ref}, and only for one of {BASE} without a digest "
            "is it known which image has JupyterLab and the same libraries.",
            allowed=f"an image with JupyterLab and what {team_ref} has inside",
            next_step="build one on the team's image and name it here.",
        )
    elif contents is None or not is_pinned(contents.image.ref):
        yield Problem(
            key=key,
            value=shown(jupyter.image),
            reason="The tag does not say which RAPIDS release and CUDA version are inside, and "
            "they must be those of the team's image.",
            allowed="a reference with a tag of RAPIDS' scheme, or a mapping {ref, rapids, cuda}",
            next_step="write the mapping {ref, rapids, cuda} in place of the reference.",
        )
    elif different := _differences(contents, image.contents):
        yield Problem(
            key=key,
            value=contents.image.ref,
            reason=f"It has {different}: what a notebook sends, scheduler and workers could not "
            "unpack.",
            allowed=f"an image with the RAPIDS release, CUDA and Python of {team_ref}",
            next_step="name the image of the same release, or change the team's image with it.",
        )


def _differences(ours: ImageContents, teams: ImageContents) -> str:
    pairs = (
        ("RAPIDS", ours.image.rapids, teams.image.rapids),
        ("CUDA", ours.image.cuda, teams.image.cuda),
        # A mapping does not say which Python is inside.
        *([("Python", ours.python, teams.python)] if ours.python and teams.python else []),
    )
    return ", ".join(
        f"{what} {own} where the team's image has {other}"
        for what, own, other in pairs
        if own != other
    )
