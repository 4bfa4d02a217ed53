"""A run as a page to look at: the fleet, the timeline of its ``up``, checks and cost."""
