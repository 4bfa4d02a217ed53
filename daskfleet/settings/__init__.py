"""What a stack file may say: typed, frozen, and closed to keys that nobody reads.

One module per part of the file; ``stack`` puts them together. ``loading`` turns a document into
settings and finds all mistakes at once; ``pulumi_config`` is the only place in the project that
reads Pulumi's configuration, ``stack_file`` reads the same from a file without the engine.
"""
