"""``daskfleet review``: what a change will do, whether to worry, and whether a merge may go on."""

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from daskfleet.catalog.changes import ChangeClass
from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import only_looking, open_console
from daskfleet.options import SelectedStack
from daskfleet.platform.review.allowed import parse_allowances
from daskfleet.platform.review.document import to_json
from daskfleet.platform.review.errors import ReviewError
from daskfleet.platform.review.github.cli import publish, publish_run, reviewed_plan
from daskfleet.platform.review.markdown.comment import comment
from daskfleet.platform.review.model import Preview, Review, Verdict
from daskfleet.platform.review.plan_fits import plan_fits
from daskfleet.platform.review.policy_packs import PolicyPack, own_pack, require_own_pack
from daskfleet.platform.review.produce import of_stack, produce, stack_file_of
from daskfleet.platform.review.progress import shown_on
from daskfleet.platform.review.read import read_preview
from daskfleet.platform.review.rehearsal_run.review import can_be_rehearsed, rehearsed_review
from daskfleet.platform.review.run_preview import PreviewOptions, run_preview, selected_stack
from daskfleet.platform.review.terminal import render_terminal
from daskfleet.pressure import FAILED

STOPS = 3
"""Exit status when somebody must allow the change, or a policy refuses it. 1 says that it failed
or that nothing can be said, 2 is Typer's for usage."""

OF_A_RUN = ("save_plan", "save_events", "policy_pack", "policies")
"""Options that only a preview that is run now can heed."""

app = typer.Typer(help="Say what a change does to teams, pools and cost, and whether it may pass.")


class Format(StrEnum):
    """What a review is written as."""

    MARKDOWN = "markdown"
    JSON = "json"
    TERMINAL = "terminal"


@app.callback(invoke_without_command=True)
def review(
    context: typer.Context,
    *,
    stack: SelectedStack = None,
    stack_file: Annotated[
        Path | None,
        typer.Option(
            help="Its settings after the change. Default: stacks/Pulumi.<stack>.yaml.",
            # As the engine takes its --config-file; a rehearsal's shell sets it.
            envvar="PULUMI_OPTION_CONFIG_FILE",
        ),
    ] = None,
    events: Annotated[
        str | None,
        typer.Option(help="Read what the engine wrote to this file (- is standard input)."),
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.TERMINAL,
    allow: Annotated[
        str,
        typer.Option(
            metavar="CLASS,...",
            help="Destructive changes that may pass: replace-pool, replace-cluster, destroy-data.",
        ),
    ] = "",
    commit: Annotated[str, typer.Option(help="The commit that is reviewed.")] = "",
    save_plan: Annotated[
        Path | None,
        typer.Option(
            help="Keep the engine's plan for `pulumi up --plan`, bound to the state of now."
        ),
    ] = None,
    save_events: Annotated[
        Path | None,
        typer.Option(help="Keep what the engine says, unredacted, for --events."),
    ] = None,
    policy_pack: Annotated[
        list[Path] | None,
        typer.Option(help="A policy pack to run beside the project's. May be given again."),
    ] = None,
    policies: Annotated[
        bool, typer.Option("--policies/--no-policies", help="Run the project's policies.")
    ] = True,
    rehearse: Annotated[
        str | None,
        typer.Option(
            metavar="BASE..HEAD",
            help="Carry out the change between two commits in a rehearsal, without credentials, "
            "and say what really happened. Needs --stack; without HEAD it is the working tree.",
        ),
    ] = None,
) -> None:
    """Preview a change, and say what people will feel, what it costs and whether it may pass.

    Changes nothing. Exit status: 0 it may pass, 3 somebody must allow it or a policy refuses it,
    1 it failed or nothing can be said, 130 interrupted.
    """
    if context.invoked_subcommand is not None:
        return
    judge = Judge(commit=commit, allowed=_allowed(allow))
    said = open_console(stderr=True)
    with only_looking(said, ReviewError):
        if rehearse is not None:
            _refuse_beside(
                context, "--rehearse", "save_plan", "save_events", "events", "stack_file"
            )
            name = _stack_to_rehearse(stack)
            if policies:
                require_own_pack()
            packs = _packs(name, policy_pack, policies=policies)
            done = judge.rehearsal(rehearse, stack=name, packs=packs)
        elif events is not None:
            _refuse_beside(context, "--events", *OF_A_RUN)
            done = judge.events(events, stack=stack, stack_file=stack_file)
        else:
            if policies:
                require_own_pack()
            name = stack or selected_stack(PROJECT_DIR)
            options = PreviewOptions(
                stack=name,
                save_plan=save_plan.absolute() if save_plan else None,
                save_events=save_events.absolute() if save_events else None,
                policy_packs=_packs(name, policy_pack, policies=policies),
            )
            done = judge.preview(options, said, stack_file=stack_file)
    _write(done, format_)
    if not done.gate.passes:
        raise typer.Exit(FAILED if done.verdict is Verdict.FAILED and not _refused(done) else STOPS)


@dataclass(frozen=True, kw_only=True)
class Judge:
    """Comes to a review in one of three ways; each raises ``ReviewError``."""

    commit: str
    allowed: frozenset[ChangeClass]

    def preview(self, options: PreviewOptions, said: Console, *, stack_file: Path | None) -> Review:
        """Run a preview of the real stack now."""
        with said.status("") as status:
            preview = run_preview(PROJECT_DIR, options, progress=shown_on(said, status.update))
        return self._of(of_stack(preview, options.stack), stack_file)

    def events(self, events: str, *, stack: str | None, stack_file: Path | None) -> Review:
        """Read what the engine wrote in another run."""
        preview = _read(events)
        name = stack or preview.stack or selected_stack(PROJECT_DIR)
        return self._of(of_stack(preview, name), stack_file)

    def rehearsal(self, change: str, *, stack: str, packs: tuple[PolicyPack, ...]) -> Review:
        """Carry the change between two commits out in a rehearsal."""
        return rehearsed_review(
            change,
            project_dir=PROJECT_DIR,
            stack=stack,
            commit=self.commit,
            allowed=self.allowed,
            packs=packs,
        )

    def _of(self, preview: Preview, stack_file: Path | None) -> Review:
        file = stack_file or stack_file_of(preview.stack, PROJECT_DIR)
        return produce(preview, stack_file=file, commit=self.commit, allowed=self.allowed)


def _allowed(text: str) -> frozenset[ChangeClass]:
    try:
        return parse_allowances(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--allow") from None


def _refuse_beside(context: typer.Context, option: str, *others: str) -> None:
    """Refuse options that would have no effect; what only the environment says may have none."""
    sources = {name: context.get_parameter_source(name) for name in others}
    given = [
        "/".join((*parameter.opts, *parameter.secondary_opts))
        for parameter in context.command.params
        if (source := sources.get(parameter.name or "")) and source.name == "COMMANDLINE"
    ]
    if given:
        raise typer.BadParameter(
            f"{', '.join(given)} belongs to a preview of the real stack that is run now.",
            param_hint=option,
        )


def _stack_to_rehearse(stack: str | None) -> str:
    if not stack or not can_be_rehearsed(stack):
        raise typer.BadParameter(
            "name the stack to rehearse: --stack prod for stacks/Pulumi.prod.yaml.",
            param_hint="--stack",
        )
    return stack


def _packs(stack: str, others: list[Path] | None, *, policies: bool) -> tuple[PolicyPack, ...]:
    given = (PolicyPack(path=pack.absolute()) for pack in others or ())
    return (*([own_pack(stack)] if policies else ()), *given)


def _read(events: str) -> Preview:
    if events == "-":
        return read_preview(sys.stdin)
    try:
        with Path(events).open(encoding="utf-8", errors="replace") as lines:
            return read_preview(lines)
    except OSError as error:
        raise ReviewError(f"--events {events}: {error.strerror}.") from error


def _refused(done: Review) -> bool:
    return any(each.level == "mandatory" for each in done.policies)


def _write(done: Review, form: Format) -> None:
    match form:
        case Format.MARKDOWN:
            typer.echo(comment(done))
        case Format.JSON:
            typer.echo(to_json(done))
        case Format.TERMINAL:
            render_terminal(done, open_console())


app.command()(publish)
app.command()(publish_run)
app.command()(reviewed_plan)
app.command()(plan_fits)
