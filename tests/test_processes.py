"""Worker processes: what each may use, and what the search for garbage passes over."""

import gc
import subprocess
import sys

LOAD = """
import gc
from presidio_mx.processes import keep_for_good
loaded = [[number] for number in range(1000)]
keep_for_good()
new = [[number] for number in range(10)]
print(gc.get_freeze_count() >= 1000, len(gc.get_objects()) < 1000)
"""


def test_what_is_loaded_is_not_searched_again():
    done = subprocess.run(
        [sys.executable, "-c", LOAD], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "True"]
    assert gc.get_freeze_count() == 0
