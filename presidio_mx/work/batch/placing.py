"""Move what is complete into its place."""

from presidio_mx.work.batch.audit import Totals
from presidio_mx.work.batch.files import move, partial, remove, share, sync_folder
from presidio_mx.work.batch.job import Paths, Summary
from presidio_mx.work.batch.journal import State


def place(paths: Paths) -> Summary:
    """Move everything into place; may be repeated after any interruption.

    :param paths: Where; the state says that the run is complete.
    :return: What was done.
    """
    state = State.load(paths.state)
    assert state is not None and state.complete
    totals = Totals.of(state.totals)
    if not totals.failed:
        remove(partial(paths.errors))
        remove(paths.errors)
    grown = partial(paths.output)
    made = grown
    if state.positions["assembled"]:
        made = grown.with_name(grown.name + paths.output.suffix)
    for ready in (partial(paths.errors), partial(paths.audit), made):
        share(ready)
    for path in (paths.numbers, paths.marks, paths.errors, paths.audit):
        if path is not None:
            move(partial(path), path)
    move(made, paths.output)
    if made != grown:
        remove(grown)
    sync_folder(paths.output.parent)
    paths.state.unlink(missing_ok=True)
    sync_folder(paths.output.parent)
    errors = paths.errors if totals.failed else None
    return Summary(paths.output, errors, paths.audit, totals)
