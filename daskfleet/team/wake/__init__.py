"""``daskfleet wake``: bring the workers of a team that sleeps back before a task does."""
