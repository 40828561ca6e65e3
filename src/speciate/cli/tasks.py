"""``speciate tasks``: what can be evolved."""

from __future__ import annotations

from speciate.cli import options
from speciate.cli.output import Output, columns


def tasks(as_json: options.AsJson = False) -> None:
    """Lists the built-in problems and their presets, and says what a task folder is.

    \b
    speciate tasks
    """
    from speciate.engine.settings import load_preset, preset_names
    from speciate.tasks import list_tasks, load_task

    output = Output(as_json=as_json)
    presets = [load_preset(name) for name in preset_names()]
    told: list[dict[str, object]] = []
    for name in list_tasks():
        task = load_task(name)
        objectives = [f"{objective.direction} {objective.name}" for objective in task.objectives]
        fitting = [preset for preset in presets if preset.task == name]
        about = task.spec.description.strip().partition("\n")[0]
        output.say(name, f"  {about}", f"  {', '.join(objectives)}")
        if fitting:
            output.say(*columns([(f"--preset {preset.name}", preset.about) for preset in fitting]))
        told.append(
            {
                "name": name,
                "about": about,
                "objectives": objectives,
                "parameters": task.spec.parameters,
                "presets": [{"name": preset.name, "about": preset.about} for preset in fitting],
            }
        )
    output.say(
        "",
        "A task is also any folder with a task.toml, an initial program and its scoring:",
        "  speciate init my_task     writes one that runs at once",
        "  speciate check my_task    says what is understood of one",
    )
    output.result({"tasks": told})
