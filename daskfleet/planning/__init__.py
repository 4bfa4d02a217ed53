"""What a stack will be, decided before anything is created: pure functions on settings and facts.

``fleet.plan_fleet`` is the one entry: it runs every check and returns the fleet with all defaults
resolved, placed and priced, or raises one error with every reason. Each check is a module that
takes settings and returns problems; none of them talks to anybody.
"""
