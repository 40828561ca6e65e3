"""``speciate simulate``: ensembles of up to thousands of nodes in virtual time, a network around them."""

from __future__ import annotations

from speciate.cli import ensemble_options, options, simulate_options
from speciate.cli.output import Output


def simulate(
    task: options.TaskArgument,
    model: ensemble_options.ModelByNode = None,
    nodes: simulate_options.Nodes = None,
    rounds: ensemble_options.Rounds = None,
    iterations: ensemble_options.Iterations = None,
    topology: simulate_options.Topologies = None,
    sharing: simulate_options.Sharings = None,
    latency: simulate_options.Latency = None,
    delay: simulate_options.Delay = None,
    loss: simulate_options.Loss = 0.0,
    duplicate: simulate_options.Duplicate = 0.0,
    partition: simulate_options.Partition = None,
    churn: simulate_options.Churn = None,
    every: simulate_options.Every = 1,
    preset: options.PresetName = None,
    config: options.ConfigFile = None,
    set_: options.Settings = None,
    seed: options.Seed = None,
    out: simulate_options.PointsOut = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Simulates an ensemble: the real nodes, in virtual time, under a network that loses and delays.

    Nothing is kept but what is printed or written to --out. Equal seeds give equal simulations.

    \b
    speciate simulate corewar --nodes 16 --topology all --topology ring --topology random:2
    speciate simulate my_task --nodes 256 --topology random:4 --loss 0.5 --churn dies:0.1 --out curve.csv
    """
    from speciate.cli.simulating import Around, simulate_all

    around = Around(
        latency=latency,
        delay=delay,
        loss=loss,
        duplicate=duplicate,
        partition=partition,
        churn=tuple(churn or ()),
        seed=seed or 0,
    )
    simulate_all(
        task,
        around,
        models=tuple(model or ()),
        nodes=nodes,
        rounds=rounds,
        iterations=iterations,
        topologies=tuple(topology or ("all",)),
        sharings=tuple(sharing or ("all",)),
        every=every,
        preset=preset,
        file=config,
        assignments=set_ or (),
        out=out,
        output=Output(as_json=as_json, quiet=quiet),
    )
