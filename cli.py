"""The operator's command line: one Typer application per package that has verbs."""

import typer

import rehearsal.cli

app = typer.Typer(name="daskfleet", no_args_is_help=True, pretty_exceptions_show_locals=False)
app.add_typer(rehearsal.cli.app, name="rehearse")

if __name__ == "__main__":
    app(prog_name="daskfleet")
