"""Facts as data: what Google sells where, what fits on it, what runs together, and what it costs.

The tables are ``data/*.csv``; each row names its sources, and ``data/sources.csv`` says where and
when each was read. A table that nothing reads does not belong here. Facts of other people's making
only: what this project decides lives in ``settings`` and ``planning``. (``changes.csv`` also has
the few inputs whose fate an option of our components decides; a test compares the two.)
"""
