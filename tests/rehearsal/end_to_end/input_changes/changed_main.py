"""The real program, with some inputs changed on their way to the engine.

Most inputs are constants of the components, and no setting reaches them. A stack transform does:
the values lie beside this file as ``changed-inputs.json``, a list of ``InputChange`` documents.
"""

import json
import runpy
from pathlib import Path
from typing import Any

import pulumi

CHANGES = json.loads(Path(__file__).with_name("changed-inputs.json").read_text("utf-8"))


def changed(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
    """The resource with its changes, or None when it has none."""
    wanted = [c for c in CHANGES if c["type"] == args.type_ and c["name"] == args.name]
    if not wanted:
        return None
    props: Any = args.props
    for change in wanted:
        props = _with(props, change["steps"], change["value"])
    return pulumi.ResourceTransformResult(props=props, opts=args.opts)


def _with(holder: Any, steps: list[str | int], value: object) -> Any:
    """A copy of a value with one part of it changed; a part that is missing is made."""
    if not steps:
        return value
    if isinstance(holder, pulumi.Output):  # what holds a secret is one as a whole
        return holder.apply(lambda known: _with(known, steps, value))
    step, *rest = steps
    if isinstance(step, int):
        items = list(holder or [])
        items += [None] * (step + 1 - len(items))
        items[step] = _with(items[step], rest, value)
        return items
    members = dict(holder or {})
    return {**members, step: _with(members.get(step), rest, value)}


pulumi.runtime.register_resource_transform(changed)
runpy.run_path(str(Path(__file__).with_name("real_main.py")), run_name="__main__")
