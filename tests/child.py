"""How tests run the program: as a process of its own, or quicker in this one."""

import io
import os
import sys
from dataclasses import dataclass
from unittest.mock import patch

_SECRETS = ("PRESIDIO_MX_KEY", "PRESIDIO_MX_TOKEN")


def child_environment(**more: str) -> dict[str, str]:
    """Return this process's environment without keys and tokens, and what is given."""
    return {k: v for k, v in os.environ.items() if k not in _SECRETS} | more


@dataclass(frozen=True)
class Called:
    """What a call of the program left.

    :param returncode: Its exit code.
    :param stdout: What it wrote.
    :param stderr: What it said.
    """

    returncode: int
    stdout: bytes
    stderr: bytes


def call(*arguments: str, data: bytes = b"") -> Called:
    """Run the program in this process, which has loaded everything already.

    :param arguments: The command line.
    :param data: Its standard input.
    """
    from presidio_mx.work.cli.program import main

    streams = {
        name: io.TextIOWrapper(io.BytesIO(given), "utf-8", errors, write_through=True)
        for name, given, errors in (
            ("stdin", data, "strict"),
            ("stdout", b"", "strict"),
            ("stderr", b"", "backslashreplace"),
        )
    }
    code: object = 0
    with patch.multiple(sys, **streams):
        try:
            main(list(arguments))
        except SystemExit as end:
            code = end.code or 0
    out, said = (streams[name].buffer.getvalue() for name in ("stdout", "stderr"))
    return Called(int(str(code)), out, said)
