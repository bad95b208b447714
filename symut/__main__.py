"""`python -m symut`, and the `symut` script."""

import sys


def run() -> int:
    """The command line, also when it is interrupted while it is still being loaded."""
    try:
        from symut.cli import main

        return main()
    except KeyboardInterrupt:
        print("symut: interrupted; nothing half-written was left", file=sys.stderr)
        return 130


if __name__ == "__main__":
    raise SystemExit(run())
