"""`python -m symut`."""

from symut.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
