"""`python -m symut`, and the `symut` script."""

import signal
import sys


def run() -> int:
    """The command line, also when it is interrupted while it is still being loaded."""
    try:
        from symut.cli import main

        code = main()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the work is done; closing down needs no interruption
        return code
    except KeyboardInterrupt:
        print("symut: interrupted; nothing half-written was left", file=sys.stderr)
        return 130


if __name__ == "__main__":
    raise SystemExit(run())
