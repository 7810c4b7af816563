"""Make the project's own virtual environment (.venv) and run commands in it.

Standard library only. The syntax of this file stays simple on purpose: an older Python has to
get as far as the version check below, to report itself in one line.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

MINIMUM = (3, 11)
if sys.version_info[:2] < MINIMUM:
    sys.exit(
        f"error: Python {MINIMUM[0]}.{MINIMUM[1]} or newer is needed, "
        f"this is {sys.version_info[0]}.{sys.version_info[1]} ({sys.executable})"
    )

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
STAMP = VENV / "imc-installed"
# Modules of another Python must not leak into the environment.
VARIABLES = {k: v for k, v in os.environ.items() if k not in ("PYTHONHOME", "PYTHONPATH")}


class Failure(Exception):
    """Something the user has to know about; the text is the whole message."""


def say(text: str) -> None:
    print(text, flush=True)


def last_lines(output: str, count: int) -> str:
    return "\n".join(output.strip().splitlines()[-count:])


def attempt(command: list[str]) -> tuple[bool, str]:
    """Run a command quietly; return whether it succeeded, and its output."""
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=VARIABLES,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as error:
        return False, str(error)
    return done.returncode == 0, done.stdout


def find_pip() -> list[str] | None:
    """Return the command that installs into the environment, if the environment works."""
    python = str(BIN / "python")
    for pip in ([python, "-m", "pip"], [sys.executable, "-m", "pip", "--python", python]):
        if attempt([*pip, "--version"])[0]:
            return pip
    return None


def create() -> list[str]:
    """Create the environment; return the command that installs into it."""
    say(f"Creating {VENV} ...")
    # Debian's Python has no ensurepip unless python3-venv is installed: then try virtualenv, or an
    # environment without pip that the host's own pip installs into.
    output = ""
    for way in (["venv"], ["virtualenv"], ["venv", "--without-pip"]):
        try:
            created, text = attempt([sys.executable, "-m", *way, str(VENV)])
            pip = find_pip() if created else None
        except BaseException:
            shutil.rmtree(VENV, ignore_errors=True)
            raise
        if pip is not None:
            return pip
        shutil.rmtree(VENV, ignore_errors=True)
        output = output or text
    raise Failure(
        "cannot create a virtual environment: install Python's venv module "
        "(Debian, Ubuntu: apt install python3-venv) or virtualenv, and run this again. "
        f"Python said:\n{last_lines(output, 10)}"
    )


def prepare(extra: str = "") -> None:
    """Bring the environment up to date; `extra` is empty or an extra such as "[dev]"."""
    described = (ROOT / "pyproject.toml").read_bytes() + os.fsencode(ROOT)
    wanted = hashlib.sha256(described).hexdigest() + extra
    works, _ = attempt([str(BIN / "python"), "-c", ""])
    if works and STAMP.exists() and STAMP.read_text().startswith(wanted):
        return
    if VENV.exists():
        pip = find_pip()
        if pip is None:
            raise Failure(f"{VENV} does not work or has no pip: remove it and run this again")
    else:
        pip = create()
    say(f"Installing imc{extra} and its dependencies into {VENV} (some minutes the first time) ...")
    STAMP.unlink(missing_ok=True)
    options = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    installed, output = attempt([*pip, "install", *options, "--editable", "." + extra])
    if not installed:
        raise Failure(
            "pip could not install imc (is the network there?); the last lines of its output:\n"
            + last_lines(output, 10)
        )
    STAMP.write_text(wanted)


def run(program: str, *arguments: str) -> int:
    """Run a program of the environment in the project's folder; return its exit code."""
    command = [str(BIN / program), *arguments]
    return subprocess.run(command, cwd=ROOT, env=VARIABLES).returncode


def finish(main: Callable[[], int]) -> None:
    """Run `main` and exit with its result; errors and Ctrl-C end without a traceback."""
    try:
        sys.exit(main())
    except (Failure, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        sys.exit(130)
