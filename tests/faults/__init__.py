"""What goes wrong while the engine works, and that at most two documented commands get past it."""
