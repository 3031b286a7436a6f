"""The browser on this machine, and a server on loopback for what it is to look at."""

import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def find_browser() -> str | None:
    """Where a browser is, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a line for each on the terminal."""

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


class QuietServer(ThreadingHTTPServer):
    """A server that a browser may leave in the middle of a file."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what is wrong, unless the browser has gone."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Where a folder is served on loopback, without a slash at the end."""
    server = QuietServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
