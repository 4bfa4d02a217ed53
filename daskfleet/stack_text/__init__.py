"""The text of a stack file, read within bounds and as Pulumi reads it.

Everything that reads a stack file reads it here. What is wrong comes as mistakes with their lines;
no text, however it was made, is an exception, and none takes more than a moment or 300 MB.
"""
