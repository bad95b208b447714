"""Ctrl-C is an interruption also where it arrives while a library is being imported.

Main definition: `noticed_interrupts`.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def noticed_interrupts() -> Iterator[list[int]]:
    """The SIGINT signals that have arrived; each raises KeyboardInterrupt, as ever.

    numpy and torch turn an interruption of their import into errors of other kinds, so that the exception alone does
    not say what happened.  A signal that the process ignores or handles stays as it is.
    """
    seen: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield seen
        return

    def notice(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, notice)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
