"""Recordings of what Google's APIs were asked and answered, as facts: one format for all of them.

``bench/fidelity.py`` replays them on the emulator; ``daskfleet rehearse record`` writes one of the
own project.
"""
