"""Make one model of several: the mean of weights that training led to.

Runs that begin alike and draw otherwise (another seed, more notes) end in one basin,
and the mean of their weights finds more than each, at the price of one (Wortsman et
al. 2022, "Model soups"):

    python -m presidio_mx.research.training.mean OUT RUN RUN ...
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from presidio_mx.errors import InputError
from presidio_mx.find.ner.onnx_model import CARD, TOKENIZER, read_card
from presidio_mx.research.training.export import export
from presidio_mx.research.training.network import finished_network
from presidio_mx.research.training.recipe import recipe_of
from presidio_mx.research.training.transformer import BEST


def mean_weights(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of weights, name by name.

    :param states: Weights of networks of one shape.
    :raises InputError: If they are not of one shape.
    """
    first = states[0]
    shapes = {name: values.shape for name, values in first.items()}
    for state in states[1:]:
        if {name: values.shape for name, values in state.items()} != shapes:
            raise InputError("the runs have networks of different shapes")
    return {
        name: torch.stack([state[name].float() for state in states]).mean(0)
        for name in first
    }


def write_mean(out: Path, runs: Sequence[Path]) -> None:
    """Write the mean of finished runs as a model; its recipe is the last run's.

    :param out: New folder.
    :param runs: Folders of finished runs, two at least.
    :raises InputError: If the folder exists, or a run lacks its weights.
    """
    if len(runs) < 2:
        raise InputError("give an output folder and two finished runs at least")
    missing = [run / BEST for run in runs if not (run / BEST).is_file()]
    if missing:
        raise InputError(f"{missing[0]}: no such file; is the run finished?")
    if out.exists():
        raise InputError(f"{out} exists; give another folder")
    last = runs[-1]
    network = finished_network(last, list(read_card(last).heads))
    states = [
        torch.load(run / BEST, map_location="cpu", weights_only=True) for run in runs
    ]
    network.load_state_dict(mean_weights(states))
    card = json.loads((last / CARD).read_text(encoding="utf-8"))
    recipe = recipe_of(card["recipe"], f"{last / CARD} (run this where it was trained)")
    out.mkdir(parents=True)
    torch.save(network.state_dict(), out / BEST)
    export(network, recipe, last / TOKENIZER, out, quantize=True)
    card["mean_of"] = [run.name for run in runs]
    text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
    (out / CARD).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    try:
        write_mean(Path(*sys.argv[1:2]), [Path(run) for run in sys.argv[2:]])
    except InputError as error:
        sys.exit(f"presidio-mx: {error}")
