"""From a GKE cluster that was made by hand to the stack file of a fleet beside it."""
