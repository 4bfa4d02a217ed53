"""What the fleet costs in time and memory, measured: previews, planning, a rehearsal.

``python -m bench`` measures and writes ``results/``; aims are shown beside the figures and never
fail a build, because a busy machine would. ``README.md`` has the figures and what they leave out.
"""
