"""What no fleet may be, whoever declares it: a CrossGuard pack that judges what the engine is told.

Each policy is a file with a ``RULE``: pure, without the engine, so that its tests need none.
``rules`` lists them, ``crossguard`` alone speaks to Pulumi's policy SDK, ``location`` says how the
pack is given to ``pulumi``. Rules that ``planning`` has too are its functions: a fleet that passes
one passes the other.
"""
