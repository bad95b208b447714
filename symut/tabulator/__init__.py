"""Every known lower bound and construction width, with its class and status.

Main definitions: `Table`, `table`, `shapes`.
"""

from symut.tabulator.grid import Sizes, shapes
from symut.tabulator.table import Table, table

__all__ = ["Sizes", "Table", "shapes", "table"]
