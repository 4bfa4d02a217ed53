"""Unit: the project is what `pyproject.toml` says."""

from pathlib import Path

from release.project import Project, project


def test_dependencies_are_named_without_bounds_and_extras(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        """[project]
name = "x"
version = "1.0.0"
dependencies = ["PyYAML>=6", "google.auth[requests]<3 ; python_version >= '3.11'"]
[project.optional-dependencies]
more = ["rich"]
""",
        "utf-8",
    )

    asked = frozenset({"pyyaml", "google-auth"})
    assert project(tmp_path) == Project(name="x", version="1.0.0", dependencies=asked)


def test_a_package_may_ask_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1"\n', "utf-8")

    assert project(tmp_path).dependencies == frozenset()
