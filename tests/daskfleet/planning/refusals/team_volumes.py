"""Claims that no task of a team must mount, and places where nothing may be mounted."""

from tests.daskfleet.planning.documents import Document, Refusal, minimal

REFERENCE = {"claim": "reference", "mount_path": "/data/reference"}
PATHS = "a path of its own, such as /data/reference"
OTHER_PATH = "choose another path"


def having(*volumes: Document) -> Document:
    """A team that mounts claims."""
    return minimal(teams=[{"name": "alpha", "volumes": list(volumes)}])


def at(path: str) -> Document:
    """A team that mounts a claim somewhere."""
    return having({**REFERENCE, "mount_path": path})


def of_claim(name: str) -> Document:
    """A team that mounts some claim."""
    return having({**REFERENCE, "claim": name})


PATH = "teams[0].volumes[0].mount_path"
CLAIM = "teams[0].volumes[0].claim"
IN_PARTS = "at most four parts"

REFUSALS: dict[str, Refusal] = {
    "somebody's home": (
        of_claim("jupyter-alice-home"),
        CLAIM,
        "jupyter-alice-home",
        "claims that somebody makes for the whole team",
        "name another claim",
    ),
    "the team's home": (
        of_claim("jupyter-home"),
        CLAIM,
        "jupyter-home",
        "claims that somebody makes for the whole team",
        "name another claim",
    ),
    "a claim twice": (
        having(REFERENCE, {**REFERENCE, "mount_path": "/mnt/again"}),
        "teams[0].volumes[1].claim",
        "reference",
        "each once",
        "remove this entry",
    ),
    "the same path twice": (
        having(REFERENCE, {**REFERENCE, "claim": "results"}),
        "teams[0].volumes[1].mount_path",
        "/data/reference",
        PATHS,
        OTHER_PATH,
    ),
    "a path inside of another": (
        having(REFERENCE, {"claim": "results", "mount_path": "/data/reference/results"}),
        "teams[0].volumes[1].mount_path",
        "/data/reference/results",
        PATHS,
        OTHER_PATH,
    ),
    "a path around another": (
        having(REFERENCE, {"claim": "results", "mount_path": "/data"}),
        "teams[0].volumes[1].mount_path",
        "/data",
        PATHS,
        OTHER_PATH,
    ),
    **{
        f"a volume at {path}": (at(path), PATH, path, PATHS, OTHER_PATH)
        for path in (
            *("/scratch", "/dev/shm", "/home/team", "/home/team/data", "/etc/dask-tls"),  # noqa: S108
            *("/var/run/secrets/x", "/run/x", "/opt/conda", "/usr", "/proc/1", "/tmp/x"),  # noqa: S108
        )
    },
    **{
        f"a path that is {name}": (at(path), PATH, path, IN_PARTS, "correct teams[0].volumes[0]")
        for name, path in {
            "the root": "/",
            "relative": "data",
            "above itself": "/data/../etc",
            "itself": "/data/./x",
            "with an end of two slashes": "/data//x",
            "with a slash at its end": "/data/",
            "a shell's": "/data/$(id)",
            "of two": "/data:/etc",
            "in other letters": "/d\u0430ta",
            "long": "/data/" + "x" * 32,
        }.items()
    },
    "a claim with a shell's name": (
        of_claim("x;id"),
        CLAIM,
        "x;id",
        "the name of a PersistentVolumeClaim",
        "correct teams[0].volumes[0]",
    ),
}
