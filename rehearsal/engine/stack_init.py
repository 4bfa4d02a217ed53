"""Making the stack in the rehearsal's state, away from the stack's own file.

``pulumi stack init`` writes an encryption salt into the stack file that it finds. So it runs in
an empty project of the same name; from then on the engine knows the stack by its name.
"""

import tempfile
from pathlib import Path

import yaml

from rehearsal.engine.engine import Engine
from rehearsal.workspace import Workspace


def ensure_stack(workspace: Workspace, engine: Engine) -> None:
    """Make the stack unless the state has it."""
    name = _project(workspace)
    if (workspace.state_dir / ".pulumi" / "stacks" / name / f"{workspace.stack}.json").exists():
        return
    make_stack(workspace, engine)


def make_stack(workspace: Workspace, engine: Engine) -> None:
    """Make the stack where the engine keeps its state. Raises RehearsalError when it has it."""
    name = _project(workspace)
    with tempfile.TemporaryDirectory(dir=workspace.directory) as scratch:
        empty = yaml.safe_dump({"name": name, "runtime": "python"})
        (Path(scratch) / "Pulumi.yaml").write_text(empty, encoding="utf-8")
        engine.output("stack", "init", workspace.stack, "--no-select", cwd=Path(scratch))


def _project(workspace: Workspace) -> str:
    project = yaml.safe_load((workspace.project_dir / "Pulumi.yaml").read_text(encoding="utf-8"))
    return str(project["name"])
