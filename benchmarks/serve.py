"""The own server under many clients: answers a second, by this checkout and by others.

usage: python benchmarks/serve.py NOTES [--clients 16] [--seconds 20] [--rounds 2]
           [--ner auto] [--against CHECKOUT ...]

NOTES is a folder of .txt notes (inline marks are taken out). Every client sends one
note after the other to ``presidio-mx serve``. Checkouts take turns, each with a server
of its own that ends before the next begins, so that all meet the same other load.
Processor seconds an answer are those of the server and its workers, from /proc.
"""

import argparse
import itertools
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from batch import Watch, read_notes
from rich.console import Console
from rich.table import Table

PROGRAM = "from presidio_mx.work.cli.program import main; main()"
_START_SECONDS = 180
HERE = Path(__file__).parents[1]


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


@contextmanager
def server(checkout: Path, ner: str) -> Iterator[tuple[str, int]]:
    """Run a checkout's server; give its address and process."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "serve", "--port", str(port)]
        + ["--ner", ner, "--timeout", "120"],
        env=os.environ | {"PYTHONPATH": str(checkout)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=checkout,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(address, process)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait()


def _wait(address: str, process: "subprocess.Popen[bytes]") -> None:
    """Wait until all workers of a server take requests."""
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/health") as answer:
                state = json.load(answer)
            if state["workers"] == state["of"]:
                return
        except OSError:
            pass
        time.sleep(0.2)
    sys.exit("the server did not start")


def answers(address: str, notes: list[str], clients: int, seconds: float) -> int:
    """Return how many notes so many clients get back in so many seconds."""
    turn = itertools.cycle(notes)
    lock = threading.Lock()
    done = 0
    end = time.monotonic() + seconds

    def ask() -> None:
        nonlocal done
        while time.monotonic() < end:
            with lock:
                body = json.dumps({"text": next(turn)}).encode()
            request = urllib.request.Request(
                f"{address}/anonymize", body, {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=120) as answer:
                answer.read()
            with lock:
                done += time.monotonic() < end

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def processor(pid: int) -> float:
    """Return the processor seconds of a server and its workers so far."""
    watch = Watch(pid)
    watch.look()
    return sum(watch.processor.values())


def main() -> None:
    """Run the benchmark and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--ner", default="auto")
    parser.add_argument("--against", type=Path, nargs="*", default=[])
    given = parser.parse_args()
    notes = read_notes(given.notes)
    table = Table("checkout", "round", "answers/s", "CPU ms an answer", "load")
    for number in range(given.rounds):
        for checkout in (*given.against, HERE):
            with server(checkout.resolve(), given.ner) as (address, pid):
                answers(address, notes, given.clients, 2.0)
                before = processor(pid)
                done = answers(address, notes, given.clients, given.seconds)
                spent = processor(pid) - before
            table.add_row(
                checkout.name,
                str(number + 1),
                f"{done / given.seconds:.1f}",
                f"{1000 * spent / max(1, done):.0f}",
                f"{os.getloadavg()[0]:.1f}",
            )
    Console().print(table)


if __name__ == "__main__":
    main()
