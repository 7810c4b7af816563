"""Install the project into its own environment (.venv) and run all its checks.

Arguments are handed to pytest, which runs in the project's folder and by default on all cores.
"""

import sys

from environment import finish, prepare, run, say


def main() -> int:
    prepare("[dev]")
    checks = {
        "ruff": ["ruff", "check", "."],
        "mypy": ["mypy"],
        "pytest": ["pytest", *(sys.argv[1:] or ["-n", "auto"])],
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
