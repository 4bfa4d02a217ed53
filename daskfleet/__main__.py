"""``python -m daskfleet`` is the command ``daskfleet``."""

from daskfleet.cli import main

main()
