"""Values and texts without what may be a secret: by the name of a key, and by a secret's shape."""
