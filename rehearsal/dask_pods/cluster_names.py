"""How a process of this machine comes to find the cluster's Services by name."""

from collections.abc import Mapping
from pathlib import Path

SITE = Path(__file__).with_name("site")
"""Comes on PYTHONPATH; see the module that it holds."""

PYTHON_PATH = "PYTHONPATH"
HOSTS_VARIABLE = "DASKFLEET_REHEARSAL_HOSTS"


def finds_services_by(hosts_file: Path) -> Mapping[str, str]:
    """Return the variables of a process whose names are looked up in ``hosts_file`` first.

    A PYTHONPATH of the process's own goes behind this one.
    """
    return {HOSTS_VARIABLE: str(hosts_file), PYTHON_PATH: str(SITE)}
