"""A team's JupyterLab: which image it runs, and where there is room for it."""

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.machines import machines
from planning.images import ImageContents, is_pinned, read_image
from planning.node_room import MIB_PER_GIB, NodeRoom, gpu_node_room
from planning.packing import Demand, pack
from planning.plan import JupyterPlan, PodResources
from planning.team_images import TeamImage, team_images
from planning.teams import teams_with_cluster
from settings.jupyter import Jupyter
from settings.problems import Problem, shown
from settings.software import Image
from settings.stack import Stack
from settings.team import Team

BASE = "rapidsai/base"
NOTEBOOKS = "rapidsai/notebooks"
"""RAPIDS publishes both with the same tags; the second is the first with JupyterLab and
dask-labextension (github.com/rapidsai/docker, Dockerfile)."""

SYSTEM_CPU_M = 800
SYSTEM_MEMORY_MIB = 1024
"""What Deployments of GKE's and the operator ask of the system pool, all together: two kube-dns of
260 thousandths of a core each, the rest for metrics-server, konnectivity and the operator."""


def jupyter_of(image: TeamImage) -> JupyterPlan | None:
    """The JupyterLab of a team that has one, if its image is known."""
    jupyter = image.team.jupyter
    contents = _contents(jupyter, image) if jupyter else None
    if jupyter is None or contents is None:
        return None
    return JupyterPlan(
        image=contents.image,
        pod=PodResources(cpu=jupyter.cpu, memory_gib=jupyter.memory_gib, gpus=0),
    )


def jupyter_problems(stack: Stack) -> list[Problem]:
    """Images that do not fit the team's, and pods for which there is no room."""
    return [
        *(problem for image in team_images(stack) for problem in _image(image)),
        *_room(stack),
    ]


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


@dataclass(frozen=True, kw_only=True)
class _Asking:
    """A team that asks for room on the system pool."""

    index: int
    team: Team
    jupyter: Jupyter

    @property
    def demand(self) -> Demand:
        return Demand(
            team=self.team.name,
            component="jupyter",
            count=1,
            cpu_m=round(self.jupyter.cpu * 1000),
            memory_mib=round(self.jupyter.memory_gib * MIB_PER_GIB),
        )


def _room(stack: Stack) -> Iterator[Problem]:
    """Pods for which the system pool has no room at its largest."""
    pool = stack.system_pool
    room = _system_room(stack)
    asking = [
        _Asking(index=index, team=team, jupyter=team.jupyter)
        for index, team in teams_with_cluster(stack)
        if team.jupyter
    ]
    if room is None or not asking:
        return
    packing = pack([each.demand for each in asking], room=room, nodes=pool.max_nodes)
    for each, left in zip(asking, packing.left_over, strict=True):
        if not left:
            continue
        fits_alone = bool(each.demand.fitting(room))
        beside = " Beside those of other teams none is left for this one." if fits_alone else ""
        nodes = f"{pool.max_nodes} node{'s' * (pool.max_nodes != 1)} of {pool.machine_type}"
        yield Problem(
            key=f"teams[{each.index}].jupyter",
            value=f"{each.jupyter.cpu:g} cores, {each.jupyter.memory_gib:g} GiB",
            reason=f"Pool {pool.name} has {nodes}, and each leaves {room.text} for pods of ours, "
            f"after what GKE and the operator take.{beside}",
            allowed=f"at most {room.text} on a node",
            next_step="ask for less, or give system_pool more nodes or a larger machine type.",
        )


def _system_room(stack: Stack) -> NodeRoom | None:
    machine = machines().get(stack.system_pool.machine_type)
    if machine is None:
        return None
    max_pods = stack.network.max_pods_per_node
    # Counted as on a GPU node, whose agents are those of any node and two more: a little too much.
    room = gpu_node_room(machine, slots=max_pods, max_pods=max_pods)
    return NodeRoom(
        cpu_m=max(0, room.cpu_m - SYSTEM_CPU_M),
        memory_mib=max(0, room.memory_mib - SYSTEM_MEMORY_MIB),
        slots=room.slots,
        pods=room.pods,
    )
