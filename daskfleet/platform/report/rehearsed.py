"""The saved report of a rehearsal."""

from pathlib import Path

from pydantic import ValidationError

from rehearsal.report.model import Report
from rehearsal.workspace import Workspace


class UnreadableReportError(Exception):
    """There is no report to draw; the text says why, and what makes one."""


def read_report(source: Path, *, workspace: Workspace | None) -> Report:
    """Read a report; ``workspace`` is where it should be when the user named no file.

    Raises:
        UnreadableReportError: it is not there, or is none of this release.

    """
    saved = "`daskfleet rehearse status --json > run.json`, then --from run.json"
    if workspace is not None and not source.exists():
        raise UnreadableReportError(
            f"There is no report of stack {workspace.stack}: {source} does not exist. Next step: "
            f"`{workspace.command('up')}`, or a report that was saved before: {saved}. To draw a "
            "fleet that runs, name its stack: `daskfleet report --stack STACK`."
        )
    try:
        return Report.model_validate_json(source.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the document"
        raise UnreadableReportError(
            f"{source} is no report of this release: {where}: {first['msg']}. Next step: make it "
            f"anew, {saved}."
        ) from error
