"""Which Pulumi project a command is about, and where this code itself is."""

from pathlib import Path

SOURCE_DIR = Path(__file__).resolve().parent.parent
"""The folder that has this package, and in a checkout everything beside it."""


def project_of(directory: Path) -> Path:
    """Return the Pulumi project that a folder belongs to, as ``pulumi`` finds it.

    Outside of any project it is the checkout of this code; an installed package is no project, and
    then it is the folder itself.
    """
    folders = (directory, *directory.parents, SOURCE_DIR)
    return next((each for each in folders if (each / "Pulumi.yaml").is_file()), directory)


PROJECT_DIR = project_of(Path.cwd())
STACKS_DIR = PROJECT_DIR / "stacks"
