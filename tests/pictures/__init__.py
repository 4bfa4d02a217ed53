"""Every picture of the pages: who makes it, from what, and whether it is one of that still."""
