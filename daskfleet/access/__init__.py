"""How a fleet is reached: Pulumi's state or a team's notice, and through them the cluster."""
