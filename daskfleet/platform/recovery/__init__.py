"""Getting past what a killed engine left: locks, creations of unknown end, things not recorded."""
