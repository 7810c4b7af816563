"""`python -m imc`, and where the command starts."""

import gc
import os
import sys


def main() -> None:
    """Imports take a moment, in which Ctrl-C is not an error either."""
    gc.disable()  # what is imported stays
    try:
        from imc.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("imc: interrupted\n")
        sys.exit(130)
    except SystemExit as end:
        if isinstance(end.code, int):
            _leave(end.code)
        raise


def _leave(code: int) -> None:
    """Taking apart what a large proof has left would take seconds, for nothing."""
    if sys.getprofile() is not None or sys.gettrace() is not None:
        return  # who measures us has something to write
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return  # Python says what it has to say
    os._exit(code)


if __name__ == "__main__":
    main()
