"""Every known lower bound and construction width, with its class and status.

Main definitions: `Table`, `table`, `shapes`.
"""

from symut.bounds.grid import Sizes, shapes
from symut.bounds.table import Table, table

__all__ = ["Sizes", "Table", "shapes", "table"]
