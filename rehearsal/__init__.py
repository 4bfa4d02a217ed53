"""The local stage: the unmodified program against a real control plane on this machine."""
