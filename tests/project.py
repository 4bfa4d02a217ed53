"""Where the checkout is that is tested."""

from pathlib import Path

PROJECT_DIR = Path(__file__).resolve().parent.parent
