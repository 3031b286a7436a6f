"""What a newcomer has: the tracked files in an empty folder, and an empty environment."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
# How this machine reaches the registries of pip and npm; nothing else is inherited.
NETWORK = ("PIP_", "NPM_CONFIG_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_",
           "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")


def clone(folder: Path) -> Path:
    """Copy what git tracks, as it is now, into an empty folder."""
    listing = ["git", "ls-files", "-z"]
    done = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"git does not list the files of this folder: {done.stderr.strip()}")
    for name in done.stdout.split("\0")[:-1]:
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def empty_environment(home: Path) -> dict[str, str]:
    """A path to this Python, to Node.js and to the system's programs, and an empty home."""
    home.mkdir(exist_ok=True)
    programs = [str(Path(sys.base_prefix) / "bin")]
    programs += [str(Path(found).parent) for found in map(shutil.which, ("node", "npm")) if found]
    return {
        "PATH": os.pathsep.join([*programs, "/usr/bin", "/bin"]),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        **{name: value for name, value in os.environ.items() if name.upper().startswith(NETWORK)},
    }


def shell(command: str, folder: Path, environment: dict[str, str], seconds: int = 1800) -> str:
    """What commands in a shell print, as `run` says."""
    return run("bash", "-euo", "pipefail", "-c", command, cwd=folder, env=environment,
               stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=seconds)


def run(*command: object, stderr: int = subprocess.PIPE, **options: Any) -> str:
    """What a command prints; all that it says is the message of a failure."""
    words = [*map(str, command)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=stderr, text=True, **options)
    if done.returncode:
        message = f"{' '.join(words)}\n{done.stdout[-5000:]}{(done.stderr or '')[-5000:]}"
        pytest.fail(message, pytrace=False)
    return done.stdout


def require_pip(folder: Path, environment: dict[str, str] | None = None) -> None:
    """Skip, with pip's own words, where pip finds no packages."""
    probe = [sys.executable, "-m", "pip", "download", "--no-deps", "setuptools", "--dest", folder]
    done = subprocess.run(probe, env=environment, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"pip reaches no package registry: {done.stderr.strip().splitlines()[-1]}")


def require_npm(environment: dict[str, str] | None = None) -> None:
    """Skip, with npm's own words, where npm finds no packages and none are installed."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed; the site is built with npm packages")
    if (ROOT / "docs" / "node_modules").is_dir():
        return
    probe = ["npm", "view", "mathjax", "version", "--fetch-retries=0"]
    done = subprocess.run(probe, env=environment, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"npm reaches no package registry: {done.stderr.strip()[-300:]}")
