"""Errors in the form in which Google's REST APIs send them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rehearsal.emulator.document import Document


class GoogleError(Exception):
    """An error that the client receives as Google's error JSON."""

    def __init__(self, code: int, message: str, *, reason: str, status: str) -> None:
        """Build it from the HTTP code, the text, the legacy reason and the canonical status."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason
        self.status = status

    def body(self) -> Document:
        """Return the response body (google.rpc.Status inside the legacy envelope)."""
        return {
            "error": {
                "code": self.code,
                "message": self.message,
                "status": self.status,
                "errors": [{"message": self.message, "domain": "global", "reason": self.reason}],
            }
        }


@dataclass(frozen=True, kw_only=True)
class FieldViolation:
    """What is wrong with one field of a request, in Google's words."""

    description: str
    field: str = ""
    """Path by the names in the ``.proto``; empty for the request itself."""
    allowed: str = ""
    """What would be right, in the emulator's words: Google does not say it."""


class BadRequestError(GoogleError):
    """400: the request does not have the form of its message, with all that is wrong in it."""

    def __init__(self, violations: Sequence[FieldViolation]) -> None:
        message = "\n".join(violation.description for violation in violations)
        super().__init__(400, message, reason="badRequest", status="INVALID_ARGUMENT")
        self._violations = tuple(violations)

    def __str__(self) -> str:
        """Return Google's words, and what is allowed."""
        return "\n".join([self.message, *self._allowed()])

    def body(self) -> Document:
        """Return the response body; what is allowed stands apart from Google's words."""
        answer = super().body()
        violations = [
            {"field": each.field, "description": each.description}
            if each.field
            else {"description": each.description}
            for each in self._violations
        ]
        details: list[Document] = [
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": violations,
            }
        ]
        if self._allowed():
            detail = "From the emulator: " + " ".join(self._allowed())
            details.append({"@type": "type.googleapis.com/google.rpc.DebugInfo", "detail": detail})
        answer["error"]["details"] = details
        return answer

    def _allowed(self) -> list[str]:
        return [each.allowed for each in self._violations if each.allowed]


class InvalidArgumentError(GoogleError):
    """400: the request itself is wrong."""

    def __init__(self, message: str) -> None:
        super().__init__(400, message, reason="badRequest", status="INVALID_ARGUMENT")


class FailedPreconditionError(GoogleError):
    """400: the request is fine, the state of the resource is not; clients retry it."""

    def __init__(self, message: str) -> None:
        super().__init__(400, message, reason="failedPrecondition", status="FAILED_PRECONDITION")


class NotFoundError(GoogleError):
    """404: the named resource does not exist."""

    def __init__(self, message: str) -> None:
        super().__init__(404, message, reason="notFound", status="NOT_FOUND")


class AlreadyExistsError(GoogleError):
    """409: a resource of that name exists."""

    def __init__(self, message: str) -> None:
        super().__init__(409, message, reason="alreadyExists", status="ALREADY_EXISTS")


class ResourceExhaustedError(GoogleError):
    """429: a quota is used up; clients retry it."""

    def __init__(self, message: str) -> None:
        super().__init__(429, message, reason="rateLimitExceeded", status="RESOURCE_EXHAUSTED")


class PolicyChangedError(GoogleError):
    """409: an IAM policy was written by who had not seen the latest one."""

    def __init__(self) -> None:
        super().__init__(
            409,
            "There were concurrent policy changes. Please retry the whole read-modify-write "
            "with exponential backoff.",
            reason="aborted",
            status="ABORTED",
        )


class UnimplementedError(GoogleError):
    """501: Google has it, the emulator does not. Never accepted silently."""

    def __init__(self, message: str) -> None:
        super().__init__(501, message, reason="notImplemented", status="UNIMPLEMENTED")
