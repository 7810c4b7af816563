"""Install the project into its own environment (.venv) and run all its checks.

--fast leaves out the tests that are slow (tests/slow.txt). Other arguments are handed to pytest,
which runs in the project's folder and by default on all cores.
"""

import sys

from environment import finish, prepare, run, say

FAST = "--fast"


def main() -> int:
    given = [argument for argument in sys.argv[1:] if argument != FAST]
    quick = ["-m", "not slow"] if FAST in sys.argv[1:] else []
    prepare("[dev]")
    checks = {
        "ruff": ["ruff", "check", "."],
        "mypy": ["mypy"],
        "pytest": ["pytest", *quick, *(given or ["-n", "auto"])],
    }
    failed = []
    for name, command in checks.items():
        say(f"\n$ {' '.join(command)}")
        if run("python", "-m", *command) != 0:
            failed.append(name)
    verdicts = (f"{name} {'FAILED' if name in failed else 'passed'}" for name in checks)
    say(f"\nsummary: {', '.join(verdicts)}")
    return 1 if failed else 0


if __name__ == "__main__":
    finish(main)
