"""Change classes: what each change really does, whatever a provider calls it.

``rules.class_of`` answers for one input, ``consequences.consequences`` for all changes of an
update, by team, pool and cluster. The table is ``daskfleet/catalog/data/changes.csv``.
"""
