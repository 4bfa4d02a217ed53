"""What can go wrong while the toolchain is put in place."""


class ToolchainError(RuntimeError):
    """A binary cannot be had; the message says why and what to do next."""


class DownloadUnavailableError(ToolchainError):
    """An official download could not be fetched; building from source is the next step."""


class ChecksumMismatchError(ToolchainError):
    """A downloaded file is not the one that its publisher announced."""
