"""A stock Presidio server under gunicorn, for tests to talk to."""

import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from child import child_environment
from stock_servers import address

HERE = Path(__file__).parent


class Server:
    """A stock server under gunicorn, in a process that never imports presidio_mx."""

    def __init__(self, app, settings, cwd="/"):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "-b", "127.0.0.1:0"]
            + ["--pythonpath", str(HERE), app],
            env=child_environment() | settings,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd,
        )
        self.log = []
        self.url = None
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.url and self.get("/health")[0] == 200:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop()
        raise RuntimeError("the server did not start:\n" + "".join(self.log))

    def _read(self):
        for line in self.process.stderr:
            self.log.append(line)
            self.url = self.url or address(line)

    def get(self, path):
        return self._call(urllib.request.Request(self.url + path))

    def post(self, path, body):
        data = json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        return self._call(urllib.request.Request(self.url + path, data, headers))

    def _call(self, request):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, self._body(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, self._body(error.read())
        except OSError:
            return 0, None

    def _body(self, data):
        """Return the body; Presidio's own application answers /health in plain text."""
        try:
            return json.loads(data)
        except ValueError:
            return data.decode()

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.reader.join(5)
