"""``speciate check``: is this a task?"""

from __future__ import annotations

from speciate.cli import options
from speciate.cli.output import Output


def check(
    task: options.TaskArgument,
    set_: options.Settings = None,
    unsafe_no_sandbox: options.Unsafe = False,
    as_json: options.AsJson = False,
) -> None:
    """Says what is understood of a task and runs its initial program twice.

    Leaves with 1 if the initial program is invalid, and with 2 if the task cannot be understood.

    \b
    speciate check my_task
    """
    from speciate.cli.examination import examine_task

    examine_task(task, set_ or (), unsafe=unsafe_no_sandbox, output=Output(as_json=as_json))
