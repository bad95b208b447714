"""Backbones whose inner weights stay as they are, and the networks around them that train E, P and U.

Main definitions: `Network`, `Sparse`, `Dense`.
"""

from symut.experiment.models.dense import Dense
from symut.experiment.models.network import Network
from symut.experiment.models.sparse import Sparse, sparse_width

__all__ = ["Dense", "Network", "Sparse", "sparse_width"]
