"""Small git repositories that tests make and change."""

import subprocess
from pathlib import Path

AUTHOR = ("-c", "user.name=a test", "-c", "user.email=test@example.com")


class Repository:
    """A repository in a directory of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        """Run a git command and return what it prints."""
        done = subprocess.run(
            ["git", *AUTHOR, *arguments],  # noqa: S607 - whichever git there is
            cwd=self.directory,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def write(self, **files: str) -> None:
        """Write files; ``__`` in a name stands for a slash, ``_`` for a dot."""
        for name, text in files.items():
            file = self.directory / name.replace("__", "/").replace("_", ".")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def commit(self, **files: str) -> str:
        """Write files, commit everything, and return the commit."""
        self.write(**files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a change")
        return self.git("rev-parse", "HEAD")
