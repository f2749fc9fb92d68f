"""The environment of the programs that tests start."""

import os

_SECRETS = ("PRESIDIO_MX_KEY", "PRESIDIO_MX_TOKEN")


def child_environment(**more: str) -> dict[str, str]:
    """Return this process's environment without keys and tokens, and what is given."""
    return {k: v for k, v in os.environ.items() if k not in _SECRETS} | more
