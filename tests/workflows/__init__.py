"""The workflows: who may do what, and that the scripts in them do it."""
