"""What a process says of itself; nothing where it has ended, or ends meanwhile (a zombie)."""

import psutil


def command_line(process: psutil.Process) -> str:
    """Return its command with its arguments."""
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # psutil.ZombieProcess is one, too
        return ""


def home(process: psutil.Process) -> str:
    """Return the directory that its environment says is its home."""
    try:
        return str(process.environ().get("HOME", ""))
    except psutil.NoSuchProcess:
        return ""
