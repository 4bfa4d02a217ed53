"""What members and the API server agree on of clusters that members make for themselves."""

IDLE_TIMEOUT_S = 3600
"""After so long without work the operator deletes the cluster: nobody else would."""

LEAST_IDLE_TIMEOUT_S = 60
"""No less, for a notebook that thinks; and not 0, which means never to the operator."""
