"""The guides' commands: each is typed by a test, or listed with the reason why none can."""
