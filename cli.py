"""The operator's command line: one Typer application per package that has verbs."""

import signal

# Loading takes half a second; Ctrl-C then ends it, without a traceback of some import.
before_loading = signal.signal(signal.SIGINT, signal.SIG_DFL)

import typer  # noqa: E402

import connect.cli  # noqa: E402
import cost.cli  # noqa: E402
import doctor.cli  # noqa: E402
import drift.cli  # noqa: E402
import ephemeral.cli  # noqa: E402
import recovery.cli  # noqa: E402
import rehearsal.cli  # noqa: E402
import report.cli  # noqa: E402
import review.cli  # noqa: E402
import review.github.cli  # noqa: E402
import verify.cli  # noqa: E402
import wake.cli  # noqa: E402

signal.signal(signal.SIGINT, before_loading)

app = typer.Typer(name="daskfleet", no_args_is_help=True, pretty_exceptions_show_locals=False)
app.add_typer(rehearsal.cli.app, name="rehearse")
app.add_typer(drift.cli.app, name="drift")
app.add_typer(review.cli.app, name="review")
app.command("drift-issue")(review.github.cli.drift_issue)
app.command("recover")(recovery.cli.command)
app.command("cost")(cost.cli.command)
app.command("connect")(connect.cli.command)
app.command("cluster-spec")(ephemeral.cli.command)
app.command("doctor")(doctor.cli.command)
app.command("verify")(verify.cli.command)
app.command("wake")(wake.cli.command)
app.command("report")(report.cli.command)

if __name__ == "__main__":
    app(prog_name="daskfleet")
