"""The client of ``daskfleet verify``: what speaks Dask, in the Python whose fitness is asked about.

That is a pod of the team's image, or a Python on a member's machine. It needs the standard library
and distributed, nothing of this project. It speaks JSON on its standard output. What it sends to
scheduler and workers it sends as source text for ``eval``, which pickle names and does not copy: so
it also works where Python versions differ.
"""
