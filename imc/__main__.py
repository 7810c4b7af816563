"""`python -m imc`, and where the command starts."""

import sys


def main() -> None:
    """Imports take a moment, in which Ctrl-C is not an error either."""
    try:
        from imc.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("imc: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
