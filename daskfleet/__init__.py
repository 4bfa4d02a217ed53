"""Decides about a fleet before it exists, and has the commands of those who run or use one."""
