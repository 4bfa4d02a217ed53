"""``daskfleet serve``: the page of a running fleet, live on this machine."""
