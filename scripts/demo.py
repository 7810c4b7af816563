"""Install the project into its own environment (.venv) and show what it does."""

import shlex

from environment import finish, prepare, run, say

# Each command, with its exit code (1: a bug was found, 6: there are safe schedules).
COMMANDS = [
    ("show examples/prodcons_off_by_one.c", 0),
    ("explore examples/prodcons_off_by_one.c", 1),
    ("verify examples/prodcons_off_by_one.c --until first", 6),
    ("verify examples/prodcons.c -DSLOTS=1000 --emit-schedule=prodcons.sched.json", 0),
    ("check examples/prodcons.c -DSLOTS=1000 prodcons.sched.json", 0),
    ("show prodcons.sched.json", 0),
    ("run examples/prodcons.c -DSLOTS=1000 --schedule prodcons.sched.json --time-limit 2", 0),
    (
        "run examples/prodcons.c -DSLOTS=1000 --schedule prodcons.sched.json --time-limit 2"
        " --backend native",
        0,
    ),
]


def main() -> int:
    prepare()
    surprises = 0
    for command, expected in COMMANDS:
        say(f"\n$ imc {command}")
        code = run("imc", *shlex.split(command))
        if code == expected:
            say(f"[exit code {code}, as expected]")
        else:
            surprises += 1
            say(f"[exit code {code}, but {expected} was expected]")
    if surprises:
        say(f"\ndemo: FAILED, {surprises} of {len(COMMANDS)} exit codes are not the expected ones")
        return 1
    say(f"\ndemo: all {len(COMMANDS)} commands ended as expected")
    return 0


if __name__ == "__main__":
    finish(main)
