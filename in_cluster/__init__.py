"""Programs that run in pods of a fleet, and have nothing there but themselves."""
