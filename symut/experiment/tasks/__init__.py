"""The tasks: Dyck-1 balance and k-hop induction, as streams of blocks that a seed and an index determine.

Main definitions: `Dyck`, `Khop`, `Task`, `Block`.
"""

from symut.experiment.tasks.block import IGNORED, Block, Task
from symut.experiment.tasks.dyck import Dyck
from symut.experiment.tasks.khop import Khop

__all__ = ["IGNORED", "Block", "Dyck", "Khop", "Task"]
